-- It went wrong: again at $6, or given up where that is NULL. $7: why the endpoint is paused, where it has failed too long. $8: what was called. What an
-- address answers that is the endpoint's no longer says nothing of the new one: its event waits for that, as whoever entered it asked. $9: which attempt
-- it was; an event that has fewer now is to be told anew at once, since somebody said so meanwhile. Says whether it is paused now and was not before: of
-- those that were called at once, one.
WITH called AS MATERIALIZED (
  SELECT url = $8 AS still, state FROM bus.webhook_endpoints WHERE id = $1 FOR UPDATE
), failed AS (
  UPDATE bus.webhook_deliveries AS d
  SET state = CASE WHEN called.still AND d.attempts >= $9 AND $6::TIMESTAMPTZ IS NULL THEN 'given_up' ELSE 'waiting' END, claimed_until = NULL,
      next_attempt_at = CASE WHEN called.still AND d.attempts >= $9 THEN coalesce($6, d.next_attempt_at) ELSE d.next_attempt_at END,
      last_status = $3, last_error = $4, last_attempt_at = $5
  FROM called
  -- Somebody else may have told it meanwhile.
  WHERE d.endpoint_id = $1 AND d.log_offset = $2 AND d.state = 'waiting'
), failing AS (
  UPDATE bus.webhook_endpoints
  SET failing_since = coalesce(failing_since, $5),
      state = CASE WHEN $7::TEXT IS NULL THEN state ELSE 'paused' END,
      paused_because = CASE WHEN state = 'active' THEN coalesce($7, paused_because) ELSE paused_because END,
      version = CASE WHEN $7 IS NULL OR state = 'paused' THEN version ELSE version + 1 END,
      updated_at = CASE WHEN $7 IS NULL OR state = 'paused' THEN updated_at ELSE $5 END
  WHERE id = $1 AND url = $8
)
SELECT called.still AND called.state = 'active' AND $7 IS NOT NULL AS paused FROM called
