SELECT * FROM staff.shifts WHERE tenant_id = $1 AND id = ANY ($2::TEXT[]) ORDER BY starts_at, id
