-- What is new in the log is written down for every endpoint that wants it. One process at a time plans an endpoint.
WITH due AS MATERIALIZED (
  SELECT e.id, e.tenant_id, e.subjects, e.planned_up_to,
         -- A long pause is caught up in steps.
         (SELECT max(step.log_offset) FROM (
            SELECT l.log_offset FROM bus.event_log l
            WHERE l.tenant_id = e.tenant_id AND l.log_offset > e.planned_up_to ORDER BY l.log_offset LIMIT 5000) AS step) AS up_to
  FROM bus.webhook_endpoints e
  WHERE e.state = 'active'
    AND EXISTS (SELECT FROM bus.event_log l WHERE l.tenant_id = e.tenant_id AND l.log_offset > e.planned_up_to)
  ORDER BY e.id
  LIMIT 200
  FOR UPDATE OF e SKIP LOCKED
), planned AS (
  INSERT INTO bus.webhook_deliveries (endpoint_id, log_offset, tenant_id, event_id, subject, ordering_key, next_attempt_at)
  SELECT d.id, l.log_offset, l.tenant_id, l.event_id, l.subject, l.ordering_key, $1
  FROM due d JOIN bus.event_log l ON l.tenant_id = d.tenant_id AND l.log_offset > d.planned_up_to AND l.log_offset <= d.up_to
  WHERE (cardinality(d.subjects) = 0 OR l.subject = ANY (d.subjects)) AND l.subject NOT LIKE 'internal.%'
  ON CONFLICT DO NOTHING
), moved AS (
  UPDATE bus.webhook_endpoints e SET planned_up_to = d.up_to FROM due d WHERE e.id = d.id
)
SELECT count(*) AS count FROM due
