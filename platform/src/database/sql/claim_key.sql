-- Is this key mine to work under, and has it an answer already? The lock lives as long as the transaction, so a crash frees it.
WITH expired AS (
  DELETE FROM {schema}.idempotency_keys
  WHERE tenant_id = $1 AND route = $2 AND key = $3 AND created_at < $4
)
SELECT pg_try_advisory_xact_lock($5) AS mine, k.request_hash, k.status_code, k.response::TEXT AS response
FROM (SELECT 1) AS once
LEFT JOIN {schema}.idempotency_keys k ON k.tenant_id = $1 AND k.route = $2 AND k.key = $3 AND k.created_at >= $4
