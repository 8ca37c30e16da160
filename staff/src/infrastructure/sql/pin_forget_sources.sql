DELETE FROM staff.pin_sources WHERE tenant_id = $1 AND staff_id = $2
