-- What a broker is given next, with who listens to it now. What it refused waits for an operator (`bus retry`).
SELECT o.id, o.event_id, o.subject, o.ordering_key,
       (o.envelope_meta || jsonb_build_object('payload', o.payload))::TEXT AS envelope,
       ARRAY(SELECT s.subscription FROM bus.subscriptions s WHERE s.subject = o.subject AND s.retired_at IS NULL
             ORDER BY 1) AS listeners
FROM {schema}.outbox o
WHERE o.published_at IS NULL AND NOT EXISTS (SELECT FROM bus.set_aside a WHERE a.event_id = o.event_id)
ORDER BY o.id
LIMIT $1
