-- A place on a shift, from whichever event tells of it first. House and window are the shift's when they are known; otherwise
-- $3, and eight hours from now, until they are. A shift that is over stays over. $11: the person was put on the shift; $10: they were taken off it. Both
-- hold for the assignment they name. Of two assignments the later one counts, by the times that are told: one from before it changes nothing,
-- and the end of one that was never told, but ended after this one began, is the end of a later one.
INSERT INTO housekeeping.staff_shift_assignments AS known
  (id, tenant_id, property_id, staff_id, shift_id, shift_starts_at, shift_ends_at, capacity_minutes, assignment_id,
   told_in_at, told_out_at, languages, skills, job, ended_at, assigned_as_of)
SELECT $2, $1, coalesce(s.property_id, $3), $4, $5, coalesce(s.starts_at, $6), coalesce(s.ends_at, $6 + interval '8 hours'),
       coalesce((extract(epoch FROM s.ends_at - s.starts_at) / 60)::INTEGER, 480), $7, $8, $9, p.languages, p.skills, s.job,
       coalesce(s.ended_at, $10::TIMESTAMPTZ), coalesce($10::TIMESTAMPTZ, $11::TIMESTAMPTZ)
FROM (SELECT 1) AS once
LEFT JOIN housekeeping.shifts s ON s.tenant_id = $1 AND s.shift_id = $5
LEFT JOIN housekeeping.staff_profiles p ON p.tenant_id = $1 AND p.staff_id = $4
ON CONFLICT (tenant_id, shift_id, staff_id) DO UPDATE SET
  ended_at = CASE
    WHEN excluded.assignment_id = known.assignment_id OR excluded.assignment_id IS NULL OR known.assignment_id IS NULL
      THEN coalesce(known.ended_at, $10)
    WHEN $10 IS NULL AND $11 < known.assigned_as_of THEN known.ended_at
    WHEN $10 IS NULL OR $10 > known.assigned_as_of THEN excluded.ended_at
    ELSE known.ended_at END,
  assignment_id = CASE
    WHEN excluded.assignment_id IS NULL OR $10 IS NULL AND $11 < known.assigned_as_of THEN known.assignment_id
    WHEN known.assignment_id IS NULL OR $10 IS NULL OR $10 > known.assigned_as_of THEN excluded.assignment_id
    ELSE known.assignment_id END,
  assigned_as_of = greatest(known.assigned_as_of, excluded.assigned_as_of),
  told_in_at = greatest(known.told_in_at, excluded.told_in_at),
  told_out_at = greatest(known.told_out_at, excluded.told_out_at)
