SELECT * FROM staff.positions WHERE tenant_id = $1 AND id = $2 FOR UPDATE
