-- A break of somebody on a shift: $4 begins it, $5 ends it.
UPDATE housekeeping.staff_shift_assignments SET
  told_break_started_at = greatest(told_break_started_at, $4), told_break_ended_at = greatest(told_break_ended_at, $5)
WHERE tenant_id = $1 AND staff_id = $2 AND shift_id = $3
