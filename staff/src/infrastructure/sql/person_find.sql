SELECT * FROM staff.people WHERE tenant_id = $1 AND id = $2
