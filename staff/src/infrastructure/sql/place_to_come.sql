-- Shifts that have not begun and on which somebody has a place.
SELECT s.id
FROM staff.shift_assignments a
JOIN staff.shifts s ON s.tenant_id = a.tenant_id AND s.id = a.shift_id
WHERE a.tenant_id = $1 AND a.staff_id = $2 AND a.status = 'active' AND s.status = 'scheduled'
ORDER BY s.id
