-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE staff.certifications SET version = $4, status = $5, updated_at = $6
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
