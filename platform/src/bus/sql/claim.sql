-- The oldest waiting event of each ordering key, for a while ours. What is behind it waits until it is gone.
-- $5: the subjects that this process has a story for. Another one is left to a newer process and holds its key meanwhile. One
-- that nobody has taken since $6 has no newer process any more, and its key goes on without it: tried before or not, its next turn and the end of its
-- last claim are both that long ago.
UPDATE bus.deliveries AS d
SET claimed_until = $3, attempts = d.attempts + 1
FROM bus.event_log AS l
-- Asked for once, as an array: beside what the choice is thought to cost, a join with whole tables looks as cheap as looking each of them up.
WHERE d.subscription = $1 AND l.log_offset = d.log_offset AND d.log_offset = ANY (ARRAY(
  SELECT head.log_offset
  FROM bus.deliveries AS head
  WHERE head.subscription = $1
    -- The first attempt waits for nothing: the clock of the relay that published it may be ahead of ours.
    AND (head.attempts = 0 OR head.next_attempt_at <= $2)
    AND (head.claimed_until IS NULL OR head.claimed_until < $2)
    -- Looked up row by row: a join might walk through the whole log to reach its end.
    AND (SELECT said.subject FROM bus.event_log AS said WHERE said.log_offset = head.log_offset) = ANY ($5::TEXT[])
    -- The first of its key. As an anti-join this may be planned as everybody compared with everybody; so it is one look at the key's own index.
    AND head.log_offset = (
      SELECT first.log_offset FROM bus.deliveries AS first
      WHERE first.subscription = $1 AND first.ordering_key = head.ordering_key
        AND NOT (greatest(first.next_attempt_at, first.claimed_until) < $6 AND
          (SELECT left_alone.subject FROM bus.event_log AS left_alone
           WHERE left_alone.log_offset = first.log_offset) <> ALL ($5))
      ORDER BY first.log_offset
      LIMIT 1)
  ORDER BY head.log_offset
  LIMIT $4
  FOR UPDATE SKIP LOCKED
))
RETURNING d.log_offset, d.attempts, d.ordering_key, l.subject, l.envelope::TEXT AS envelope
