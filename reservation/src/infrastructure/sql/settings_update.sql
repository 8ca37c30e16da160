-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE reservation.settings SET version = $4, "values" = $5, said_at = $6, updated_at = $7
  WHERE tenant_id = $1 AND property_id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
