-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE staff.suggestions SET version = $4, status = $5, rows = $6, decided_by = $7, decided_at = $8
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
