WITH over AS (
  UPDATE housekeeping.shifts SET ended_at = $3 WHERE tenant_id = $1 AND shift_id = $2
)
UPDATE housekeeping.staff_shift_assignments SET ended_at = $3
WHERE tenant_id = $1 AND shift_id = $2 AND ended_at IS NULL
