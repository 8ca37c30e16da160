-- It went wrong: again at $6, or given up where that is NULL. $7: why the endpoint is paused, where it has failed too long.
WITH failed AS (
  UPDATE bus.webhook_deliveries
  SET state = CASE WHEN $6::TIMESTAMPTZ IS NULL THEN 'given_up' ELSE 'waiting' END, claimed_until = NULL,
      next_attempt_at = coalesce($6, next_attempt_at), last_status = $3, last_error = $4, last_attempt_at = $5
  -- Somebody else may have told it meanwhile.
  WHERE endpoint_id = $1 AND log_offset = $2 AND state = 'waiting'
)
UPDATE bus.webhook_endpoints
SET failing_since = coalesce(failing_since, $5),
    state = CASE WHEN $7::TEXT IS NULL THEN state ELSE 'paused' END,
    paused_because = coalesce($7, paused_because),
    version = CASE WHEN $7 IS NULL OR state = 'paused' THEN version ELSE version + 1 END,
    updated_at = CASE WHEN $7 IS NULL OR state = 'paused' THEN updated_at ELSE $5 END
WHERE id = $1
