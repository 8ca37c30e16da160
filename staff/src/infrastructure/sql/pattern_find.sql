SELECT * FROM staff.shift_patterns WHERE tenant_id = $1 AND id = $2
