-- A place on a shift, from whichever event tells of it first. House and window are the shift's when they are known; otherwise
-- $3, and eight hours from now, until they are. A shift that is over stays over. $10: the person was taken off the shift; that holds
-- for the assignment it names and not for a later one.
INSERT INTO housekeeping.staff_shift_assignments AS known
  (id, tenant_id, property_id, staff_id, shift_id, shift_starts_at, shift_ends_at, capacity_minutes, assignment_id,
   told_in_at, told_out_at, languages, skills, job, ended_at)
SELECT $2, $1, coalesce(s.property_id, $3), $4, $5, coalesce(s.starts_at, $6), coalesce(s.ends_at, $6 + interval '8 hours'),
       coalesce((extract(epoch FROM s.ends_at - s.starts_at) / 60)::INTEGER, 480), $7, $8, $9, p.languages, p.skills, s.job,
       coalesce(s.ended_at, $10::TIMESTAMPTZ)
FROM (SELECT 1) AS once
LEFT JOIN housekeeping.shifts s ON s.tenant_id = $1 AND s.shift_id = $5
LEFT JOIN housekeeping.staff_profiles p ON p.tenant_id = $1 AND p.staff_id = $4
ON CONFLICT (tenant_id, shift_id, staff_id) DO UPDATE SET
  ended_at = CASE
    WHEN excluded.assignment_id = known.assignment_id OR excluded.assignment_id IS NULL OR known.assignment_id IS NULL
      THEN coalesce(known.ended_at, $10)
    WHEN $10 IS NULL THEN excluded.ended_at
    ELSE known.ended_at END,
  assignment_id = CASE WHEN $10 IS NULL THEN coalesce(excluded.assignment_id, known.assignment_id)
                       ELSE coalesce(known.assignment_id, excluded.assignment_id) END,
  told_in_at = greatest(known.told_in_at, excluded.told_in_at),
  told_out_at = greatest(known.told_out_at, excluded.told_out_at)
