-- The tenant's settings are locked by whoever changes them; $3 says that it is the version that was decided on.
-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE staff.settings SET version = $4, settings = $5, updated_at = $6
  WHERE tenant_id = $1 AND property_id = greatest($2::TEXT, '') AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
