-- What a broker is given next, with who listens to it now. What it refused waits for an operator (`bus retry`); $2, ranges, is under way.
SELECT o.id, o.event_id, o.subject, o.ordering_key,
       (o.envelope_meta || jsonb_build_object('payload', o.payload))::TEXT AS envelope,
       l.listeners
FROM (
  SELECT id, event_id, subject, ordering_key, envelope_meta, payload
  FROM {schema}.outbox w
  WHERE published_at IS NULL AND NOT id <@ (SELECT $2::TEXT::INT8MULTIRANGE)
    AND NOT EXISTS (SELECT FROM bus.set_aside a WHERE a.event_id = w.event_id)
  ORDER BY id
  LIMIT $1
) AS o
-- Found once for each subject, and remembered.
CROSS JOIN LATERAL (
  SELECT coalesce(array_agg(s.subscription ORDER BY s.subscription), '{}') AS listeners
  FROM bus.subscriptions s WHERE s.subject = o.subject AND s.retired_at IS NULL
) AS l
ORDER BY o.id
