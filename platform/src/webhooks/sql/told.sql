-- It went well: the endpoint is no longer failing, where $5 is still what is called.
WITH told AS (
  UPDATE bus.webhook_deliveries SET state = 'delivered', claimed_until = NULL, last_status = $3, last_error = NULL, last_attempt_at = $4
  WHERE endpoint_id = $1 AND log_offset = $2
)
UPDATE bus.webhook_endpoints SET failing_since = NULL WHERE id = $1 AND url = $5 AND failing_since IS NOT NULL
