-- The answer is kept in the transaction of the work. Two that raced meet at the primary key; the second is rolled back.
INSERT INTO {schema}.idempotency_keys
  (tenant_id, route, key, request_hash, response_hash, response, status_code, created_at, state)
VALUES ($1, $2, $3, $4, $5, $6::TEXT::JSONB, $7, $8, 'done')
