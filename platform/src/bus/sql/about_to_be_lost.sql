-- What is waited for among the events whose time in the log is over at $1: told to nobody any more once they are gone.
WITH going AS MATERIALIZED (
  SELECT l.log_offset, l.tenant_id, l.subject FROM bus.event_log l
  WHERE NOT bus.is_regulated(l.subject) AND l.published_at < $1::TIMESTAMPTZ - bus.log_term(l.subject)
)
SELECT 'webhook' AS way, d.endpoint_id AS whose, count(*) AS count
FROM going g JOIN bus.webhook_deliveries d ON d.log_offset = g.log_offset AND d.state = 'waiting'
GROUP BY d.endpoint_id
UNION ALL
SELECT 'webhook', e.id, count(*)
FROM going g JOIN bus.webhook_endpoints e ON e.tenant_id = g.tenant_id AND g.log_offset > e.planned_up_to
  AND (cardinality(e.subjects) = 0 OR g.subject = ANY (e.subjects)) AND g.subject NOT LIKE 'internal.%'
GROUP BY e.id
UNION ALL
SELECT 'subscription', d.subscription, count(*)
FROM going g JOIN bus.deliveries d ON d.log_offset = g.log_offset
GROUP BY d.subscription
