-- Newest first: of one person, or of shifts in these houses.
SELECT r.*, EXISTS (
    SELECT 1 FROM staff.shift_assignments a JOIN staff.shifts s ON s.tenant_id = a.tenant_id AND s.id = a.shift_id
    WHERE a.tenant_id = r.tenant_id AND a.id = r.left_assignment_id AND a.status = 'active' AND s.status = 'scheduled')
  AND EXISTS (
    SELECT 1 FROM staff.shift_assignments a JOIN staff.shifts s ON s.tenant_id = a.tenant_id AND s.id = a.shift_id
    WHERE a.tenant_id = r.tenant_id AND a.id = r.right_assignment_id AND a.status = 'active' AND s.status = 'scheduled')
  AS stands
FROM staff.swap_requests r
WHERE r.tenant_id = $1
  AND ($2::TEXT[] IS NULL OR left_property_id = ANY ($2) OR right_property_id = ANY ($2))
  AND ($3::TEXT IS NULL OR left_staff_id = $3 OR right_staff_id = $3)
  AND ($4::TEXT IS NULL OR id < $4)
ORDER BY id DESC
LIMIT $5
