-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE staff.clock_entries SET
    version = $4, shift_id = $5, occurred_at = $6, needs_review = $7, reviewed_note = $8, reason = $9,
    recorded_at = $10, source = $11, device_id = $12, client_punch_id = $13, from_offline = $14
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
