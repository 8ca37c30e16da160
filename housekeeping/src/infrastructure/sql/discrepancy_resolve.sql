-- The row is locked by whoever decided; $3 says that it is the version that was decided on.
-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE housekeeping.discrepancies
  SET version = $4, resolution = $5, resolution_note = $6, resolved_by = $7, resolved_at = $8
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
