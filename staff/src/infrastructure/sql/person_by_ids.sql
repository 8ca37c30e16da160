SELECT * FROM staff.people WHERE tenant_id = $1 AND id = ANY ($2::TEXT[]) ORDER BY id
