SELECT staff_id, shift_id, capacity_minutes, languages, skills, shift_starts_at, shift_ends_at,
       break_started_at IS NOT NULL AND break_started_at > coalesce(break_ended_at, '-infinity') AS on_break
FROM housekeeping.staff_shift_assignments
WHERE tenant_id = $1 AND property_id = $2 AND ended_at IS NULL
  AND clocked_in_at IS NOT NULL AND (clocked_out_at IS NULL OR clocked_out_at < clocked_in_at)
ORDER BY staff_id
LIMIT 1000
