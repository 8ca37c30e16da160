-- The delivery log of one endpoint, newest first, behind an offset.
SELECT log_offset, event_id, subject, state, attempts, next_attempt_at, last_attempt_at, last_status, last_error
FROM bus.webhook_deliveries
WHERE tenant_id = $1 AND endpoint_id = $2 AND log_offset < $3 AND ($4::TEXT IS NULL OR state = $4)
ORDER BY log_offset DESC
LIMIT $5
