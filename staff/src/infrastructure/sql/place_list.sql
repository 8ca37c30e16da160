SELECT * FROM staff.shift_assignments
WHERE tenant_id = $1 AND shift_id = ANY ($2::TEXT[]) AND status = 'active'
ORDER BY assigned_at, id
