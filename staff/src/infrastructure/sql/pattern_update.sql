-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE staff.shift_patterns SET
    version = $4, position_id = $5, name = $6, start_local = $7, end_local = $8, days_of_week = $9, cycle = $10,
    valid_from = $11, valid_to = $12, primary_headcount = $13, standby_headcount = $14, break_minutes = $15,
    assignees = $16, active = $17, updated_at = $18
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
