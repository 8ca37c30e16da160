SELECT source, taken_at FROM staff.pin_sources WHERE tenant_id = $1 AND staff_id = $2 ORDER BY source
