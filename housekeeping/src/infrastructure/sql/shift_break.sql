-- A break of somebody on a shift: $4 begins it, $5 ends it.
UPDATE housekeeping.staff_shift_assignments SET
  told_break_started_at = greatest(told_break_started_at, $4), told_break_ended_at = greatest(told_break_ended_at, $5),
  told_break_starts = CASE WHEN $4::TIMESTAMPTZ IS NULL OR $4 = ANY (told_break_starts) THEN told_break_starts
                           ELSE array_append(told_break_starts, $4::TIMESTAMPTZ) END,
  told_break_ends = CASE WHEN $5::TIMESTAMPTZ IS NULL OR $5 = ANY (told_break_ends) THEN told_break_ends
                         ELSE array_append(told_break_ends, $5::TIMESTAMPTZ) END
WHERE tenant_id = $1 AND staff_id = $2 AND shift_id = $3
