SELECT id, event_id, subject, ordering_key, (envelope_meta || jsonb_build_object('payload', payload))::TEXT AS envelope
FROM {schema}.outbox
WHERE published_at IS NULL
ORDER BY id
LIMIT $1
