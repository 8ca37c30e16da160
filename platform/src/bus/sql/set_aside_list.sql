SELECT event_id, outbox, subject, reason, set_aside_at FROM bus.set_aside ORDER BY set_aside_at, event_id LIMIT 1000
