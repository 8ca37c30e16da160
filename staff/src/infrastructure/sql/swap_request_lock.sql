SELECT * FROM staff.swap_requests WHERE tenant_id = $1 AND id = $2 FOR UPDATE
