-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE housekeeping.lost_and_found SET
    version = $4, status = $5, matched_at = $6, matched_by_staff = $7, claimant_name = $8, claimant_phone = $9,
    disposed_at = $10, dispose_method = $11
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
