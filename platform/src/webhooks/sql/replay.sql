-- What is told once more: one event, or everything that was published since; whether it was told before or not.
INSERT INTO bus.webhook_deliveries (endpoint_id, log_offset, tenant_id, event_id, subject, ordering_key, next_attempt_at)
SELECT e.id, l.log_offset, l.tenant_id, l.event_id, l.subject, l.ordering_key, $5
FROM bus.webhook_endpoints e
JOIN bus.event_log l ON l.tenant_id = e.tenant_id
WHERE e.tenant_id = $1 AND e.id = $2 AND l.tenant_id = $1
  AND ($3::TEXT IS NULL OR l.event_id = $3) AND ($4::TIMESTAMPTZ IS NULL OR l.published_at >= $4)
  AND (cardinality(e.subjects) = 0 OR l.subject = ANY (e.subjects)) AND l.subject NOT LIKE 'internal.%'
ORDER BY l.log_offset
LIMIT 10000
ON CONFLICT (endpoint_id, log_offset) DO UPDATE
SET state = 'waiting', attempts = 0, next_attempt_at = $5, claimed_until = NULL
