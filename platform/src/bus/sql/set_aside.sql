INSERT INTO bus.set_aside (outbox, event_id, subject, ordering_key, reason, set_aside_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (event_id) DO NOTHING
