-- What is new begins here: no relay is publishing (the caller holds their lock), so every event behind this offset finds it.
INSERT INTO bus.subscriptions (subscription, subject, began_after, registered_at, registered_by)
SELECT s.subscription, s.subject, (SELECT coalesce(max(log_offset), 0) FROM bus.event_log), $3, $4
FROM unnest($1::TEXT[], $2::TEXT[]) AS s (subscription, subject)
ON CONFLICT DO NOTHING
