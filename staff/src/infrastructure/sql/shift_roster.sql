SELECT * FROM staff.shifts
WHERE tenant_id = $1 AND property_id = $2 AND local_date BETWEEN $3 AND $4 AND status <> 'cancelled'
ORDER BY starts_at, id
LIMIT $5
