SELECT * FROM staff.positions WHERE tenant_id = $1 ORDER BY id
