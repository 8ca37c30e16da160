-- What a broker is given next, with who listens to it now. What it refused waits for an operator (`bus retry`); $2 is under way.
WITH listening AS MATERIALIZED (
  SELECT subject, array_agg(subscription ORDER BY subscription) AS listeners
  FROM bus.subscriptions WHERE retired_at IS NULL GROUP BY subject
), oldest AS (
  SELECT o.id, o.event_id, o.subject, o.ordering_key, o.envelope_meta, o.payload
  FROM {schema}.outbox o
  WHERE o.published_at IS NULL AND o.id <> ALL ($2::BIGINT[])
    AND NOT EXISTS (SELECT FROM bus.set_aside a WHERE a.event_id = o.event_id)
  ORDER BY o.id
  LIMIT $1
)
SELECT o.id, o.event_id, o.subject, o.ordering_key,
       (o.envelope_meta || jsonb_build_object('payload', o.payload))::TEXT AS envelope,
       coalesce(l.listeners, '{}') AS listeners
FROM oldest o LEFT JOIN listening l ON l.subject = o.subject
ORDER BY o.id
