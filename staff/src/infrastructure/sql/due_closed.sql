-- Shifts that are planned in houses that are closed by then.
SELECT s.id FROM staff.shifts s
JOIN staff.properties p ON p.tenant_id = s.tenant_id AND p.id = s.property_id
WHERE s.tenant_id = $1 AND s.status = 'scheduled' AND s.starts_at >= p.deactivated_at
ORDER BY s.id
LIMIT $2
