SELECT * FROM staff.people WHERE tenant_id = $1 AND user_id = $2 FOR UPDATE
