-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE staff.shifts SET
    version = $4, local_date = $5, start_local = $6, end_local = $7, tz = $8, starts_at = $9, ends_at = $10,
    primary_headcount = $11, standby_headcount = $12, break_minutes = $13, note = $14, status = $15, first_clock_in_by = $16,
    first_clock_in_at = $17, ended_at = $18, ended_reason = $19, last_clock_out_by = $20, actual_minutes = $21,
    rest_minutes = $22, cancelled_at = $23, cancel_reason = $24, updated_at = $25
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
