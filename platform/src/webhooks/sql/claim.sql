-- The oldest waiting event of each key of each endpoint, for a while ours.
UPDATE bus.webhook_deliveries AS d
SET claimed_until = $2, attempts = d.attempts + 1
FROM (
  SELECT head.endpoint_id, head.log_offset
  FROM bus.webhook_deliveries AS head
  JOIN bus.webhook_endpoints AS e ON e.id = head.endpoint_id AND e.state = 'active'
  WHERE head.state = 'waiting' AND head.next_attempt_at <= $1 AND (head.claimed_until IS NULL OR head.claimed_until < $1)
    AND NOT EXISTS (
      SELECT FROM bus.webhook_deliveries AS earlier
      WHERE earlier.endpoint_id = head.endpoint_id AND earlier.ordering_key = head.ordering_key AND earlier.state = 'waiting'
        AND earlier.log_offset < head.log_offset)
  ORDER BY head.log_offset
  LIMIT $3
  FOR UPDATE OF head SKIP LOCKED
) AS mine, bus.webhook_endpoints AS e, bus.event_log AS l
WHERE d.endpoint_id = mine.endpoint_id AND d.log_offset = mine.log_offset AND e.id = d.endpoint_id AND l.log_offset = d.log_offset
RETURNING d.endpoint_id, d.log_offset, d.attempts, d.event_id, e.url, e.key_now,
          CASE WHEN e.key_before_until > $1 THEN e.key_before END AS key_before, l.envelope::TEXT AS envelope
