-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE staff.departments SET version = $4, code = $5, name = $6, active = $7, updated_at = $8
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
