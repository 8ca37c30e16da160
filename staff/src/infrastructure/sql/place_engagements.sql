-- Where these people have a place, around a time.
SELECT a.staff_id, a.shift_id, s.property_id, a.starts_at, a.ends_at, s.local_date, s.status
FROM staff.shift_assignments a
JOIN staff.shifts s ON s.tenant_id = a.tenant_id AND s.id = a.shift_id
WHERE a.tenant_id = $1 AND a.staff_id = ANY ($2::TEXT[]) AND a.status = 'active'
  AND a.ends_at > $3 AND a.starts_at < $4
ORDER BY a.starts_at, a.id
