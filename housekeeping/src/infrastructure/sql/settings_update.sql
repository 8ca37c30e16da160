-- The tenant's settings are locked by whoever changes them; $2 says that it is the version that was decided on.
-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE housekeeping.tenant_settings SET version = $3, settings = $4, updated_at = $5
  WHERE tenant_id = $1 AND version = $2
  RETURNING 1
)
SELECT 1 / count(*) FROM met
