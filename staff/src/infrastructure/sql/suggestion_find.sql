SELECT * FROM staff.suggestions WHERE tenant_id = $1 AND id = $2
