-- Who has not taken what came before $1, though nothing stands before it: an event that is tried again holds up its key and is no such case.
SELECT head.subscription, min(head.next_attempt_at) AS since
FROM bus.deliveries AS head
WHERE head.attempts = 0 AND head.claimed_until IS NULL AND head.next_attempt_at < $1
  AND head.log_offset = (
    SELECT first.log_offset FROM bus.deliveries AS first
    WHERE first.subscription = head.subscription AND first.ordering_key = head.ordering_key
    ORDER BY first.log_offset
    LIMIT 1)
GROUP BY head.subscription
ORDER BY head.subscription
