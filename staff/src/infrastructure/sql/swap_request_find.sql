-- `stands`: both places are still somebody's, on shifts that have not begun.
SELECT r.*, EXISTS (
    SELECT 1 FROM staff.shift_assignments a JOIN staff.shifts s ON s.tenant_id = a.tenant_id AND s.id = a.shift_id
    WHERE a.tenant_id = r.tenant_id AND a.id = r.left_assignment_id AND a.status = 'active' AND s.status = 'scheduled')
  AND EXISTS (
    SELECT 1 FROM staff.shift_assignments a JOIN staff.shifts s ON s.tenant_id = a.tenant_id AND s.id = a.shift_id
    WHERE a.tenant_id = r.tenant_id AND a.id = r.right_assignment_id AND a.status = 'active' AND s.status = 'scheduled')
  AS stands
FROM staff.swap_requests r WHERE r.tenant_id = $1 AND r.id = $2
