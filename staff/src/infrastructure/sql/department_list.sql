SELECT * FROM staff.departments WHERE tenant_id = $1 ORDER BY id
