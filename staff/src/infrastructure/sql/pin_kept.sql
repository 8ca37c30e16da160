SELECT hash FROM staff.pins WHERE tenant_id = $1 AND staff_id = $2
