-- The same events once more to everybody who listened when they were published; whoever has them still waiting is not told twice.
INSERT INTO bus.deliveries (subscription, log_offset, tenant_id, ordering_key, next_attempt_at)
SELECT s.subscription, l.log_offset, l.tenant_id, l.ordering_key, $2
FROM bus.event_log l
JOIN bus.subscriptions s ON s.subject = l.subject AND s.retired_at IS NULL AND s.began_after < l.log_offset
WHERE l.log_offset = ANY ($1)
ON CONFLICT DO NOTHING
