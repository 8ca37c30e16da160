-- A place on a shift, from whichever event tells of it first. The window is the shift's when it is known; otherwise
-- eight hours from now, until it is. A shift that is over stays over.
INSERT INTO housekeeping.staff_shift_assignments
  (id, tenant_id, property_id, staff_id, shift_id, shift_starts_at, shift_ends_at, capacity_minutes, assignment_id,
   clocked_in_at, languages, skills, ended_at)
SELECT $1, $2, $3, $4, $5, coalesce(s.starts_at, $6), coalesce(s.ends_at, $6 + interval '8 hours'),
       coalesce((extract(epoch FROM s.ends_at - s.starts_at) / 60)::INTEGER, 480), $7, $8, p.languages, p.skills, s.ended_at
FROM (SELECT 1) AS once
LEFT JOIN housekeeping.shifts s ON s.tenant_id = $2 AND s.shift_id = $5
LEFT JOIN housekeeping.staff_profiles p ON p.tenant_id = $2 AND p.staff_id = $4
ON CONFLICT (tenant_id, shift_id, staff_id) DO UPDATE SET
  ended_at = CASE WHEN excluded.assignment_id IS DISTINCT FROM staff_shift_assignments.assignment_id
                   AND excluded.assignment_id IS NOT NULL AND staff_shift_assignments.assignment_id IS NOT NULL
                  THEN excluded.ended_at ELSE staff_shift_assignments.ended_at END,
  assignment_id = coalesce(excluded.assignment_id, staff_shift_assignments.assignment_id),
  clocked_in_at = coalesce(staff_shift_assignments.clocked_in_at, excluded.clocked_in_at)
