-- How much waits in an outbox, counted up to $1, and since when the oldest does. What was set aside has its own count.
SELECT (SELECT count(*) FROM (SELECT FROM {schema}.outbox WHERE published_at IS NULL LIMIT $1) AS waiting) AS waiting,
       (SELECT min(created_at) FROM (
          SELECT o.created_at FROM {schema}.outbox o
          WHERE o.published_at IS NULL AND NOT EXISTS (SELECT FROM bus.set_aside a WHERE a.event_id = o.event_id)
          ORDER BY o.id LIMIT 100) AS oldest) AS since
