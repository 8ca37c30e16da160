-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE reservation.alerts SET version = $4, resolved_at = $5, resolved_by = $6, note = $7
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
