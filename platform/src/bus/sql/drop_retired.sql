-- What still waits for a subject that was retired: nobody is going to take it, and it would hold up its key.
DELETE FROM bus.deliveries d USING bus.event_log l, bus.subscriptions s
WHERE l.log_offset = d.log_offset AND s.subscription = d.subscription AND s.subject = l.subject AND s.retired_at IS NOT NULL
