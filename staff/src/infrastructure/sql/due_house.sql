SELECT id FROM staff.shifts
WHERE tenant_id = $1 AND property_id = $2 AND status = 'scheduled' AND starts_at >= $3
ORDER BY id
LIMIT $4
