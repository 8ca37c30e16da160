-- A break of somebody at work: $4 begins it, $5 ends it. Without a shift in the message: the one they are at.
UPDATE housekeeping.staff_shift_assignments SET
  break_started_at = greatest(break_started_at, $4), break_ended_at = greatest(break_ended_at, $5)
WHERE tenant_id = $1 AND staff_id = $2
  AND CASE WHEN $3::TEXT IS NULL THEN ended_at IS NULL AND clocked_in_at IS NOT NULL ELSE shift_id = $3 END
