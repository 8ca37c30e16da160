-- A message that cannot be applied. The same one again is counted, not kept twice.
INSERT INTO {schema}.dead_letters (id, tenant_id, event_id, subject, message, code, error, pointer, attempts, failed_at)
VALUES ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (tenant_id, subject, event_id) WHERE state = 'open' AND event_id IS NOT NULL
DO UPDATE SET attempts = dead_letters.attempts + 1, code = excluded.code, error = excluded.error,
  pointer = excluded.pointer, message = excluded.message, failed_at = excluded.failed_at
