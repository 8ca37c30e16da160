-- Who waits for these events ($1, their offsets): once they are gone they are told to nobody.
WITH going AS MATERIALIZED (
  SELECT l.log_offset, l.tenant_id, l.subject FROM bus.event_log l WHERE l.log_offset = ANY ($1::BIGINT[])
)
SELECT 'webhook' AS way, waited.whose, count(*) AS count
FROM (
  SELECT d.endpoint_id AS whose
  FROM going g JOIN bus.webhook_deliveries d ON d.log_offset = g.log_offset AND d.state = 'waiting'
  UNION ALL
  SELECT e.id
  FROM going g JOIN bus.webhook_endpoints e ON e.tenant_id = g.tenant_id AND g.log_offset > e.planned_up_to
    AND (cardinality(e.subjects) = 0 OR g.subject = ANY (e.subjects)) AND g.subject NOT LIKE 'internal.%'
) AS waited
GROUP BY waited.whose
UNION ALL
SELECT 'subscription', d.subscription, count(*)
FROM going g JOIN bus.deliveries d ON d.log_offset = g.log_offset
GROUP BY d.subscription
