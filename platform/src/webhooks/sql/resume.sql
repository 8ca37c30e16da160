-- What an endpoint that goes on has missed is told now and not when its turn would have been, and has all its attempts before it.
UPDATE bus.webhook_deliveries SET next_attempt_at = $3, attempts = 0
WHERE tenant_id = $1 AND endpoint_id = $2 AND state = 'waiting' AND attempts > 0
