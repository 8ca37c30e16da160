-- The oldest waiting event of each ordering key, for a while ours. What is behind it waits until it is gone.
UPDATE bus.deliveries AS d
SET claimed_until = $3, attempts = d.attempts + 1
FROM (
  SELECT head.subscription, head.log_offset
  FROM bus.deliveries AS head
  WHERE head.subscription = $1
    AND head.next_attempt_at <= $2
    AND (head.claimed_until IS NULL OR head.claimed_until < $2)
    AND NOT EXISTS (
      SELECT FROM bus.deliveries AS earlier
      WHERE earlier.subscription = head.subscription
        AND earlier.ordering_key = head.ordering_key
        AND earlier.log_offset < head.log_offset)
  ORDER BY head.log_offset
  LIMIT $4
  FOR UPDATE SKIP LOCKED
) AS mine, bus.event_log AS l
WHERE d.subscription = mine.subscription AND d.log_offset = mine.log_offset AND l.log_offset = d.log_offset
RETURNING d.log_offset, d.attempts, l.subject, l.envelope::TEXT AS envelope
