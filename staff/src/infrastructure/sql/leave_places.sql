-- Places on shifts that have not begun, on these days. A night belongs to its first day.
SELECT s.id AS shift_id, a.id AS assignment_id
FROM staff.shift_assignments a
JOIN staff.shifts s ON s.tenant_id = a.tenant_id AND s.id = a.shift_id
WHERE a.tenant_id = $1 AND a.staff_id = $2 AND a.status = 'active' AND s.status = 'scheduled'
  AND s.local_date BETWEEN $3 AND $4
ORDER BY s.starts_at, s.id
