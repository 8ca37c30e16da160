-- What was published since $1 (or behind offset $2), of these subjects and this tenant, oldest first.
SELECT l.log_offset, l.event_id, l.subject, l.ordering_key, l.envelope::TEXT AS envelope,
       ARRAY(SELECT s.subscription FROM bus.subscriptions s WHERE s.subject = l.subject AND s.retired_at IS NULL
             ORDER BY 1) AS listeners
FROM bus.event_log l
WHERE l.published_at >= $1 AND l.log_offset > $2 AND l.log_offset <= $3
  AND ($4::TEXT IS NULL OR l.subject = $4) AND ($5::TEXT IS NULL OR l.tenant_id = $5)
  AND l.subject NOT LIKE 'internal.%'
ORDER BY l.log_offset
LIMIT $6
