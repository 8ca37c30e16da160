-- The oldest waiting event of each key of each endpoint, for a while ours: $3 in all, $4 of an endpoint at a time, and one of an endpoint that fails.
-- Who has the fewest calls under way comes first, and the endpoints of a tenant have $5 together: a receiver that is slow or silent holds up nobody but
-- itself, and many of them nobody but their own house.
WITH free AS (
  SELECT e.id, e.tenant_id, CASE WHEN e.failing_since IS NULL THEN $4::BIGINT ELSE 1 END - under_way.calls AS places, under_way.calls
  FROM bus.webhook_endpoints AS e
  CROSS JOIN LATERAL (
    SELECT count(*) AS calls FROM bus.webhook_deliveries AS taken
    WHERE taken.endpoint_id = e.id AND taken.state = 'waiting' AND taken.claimed_until >= $1) AS under_way
  WHERE e.state = 'active'
), of_tenants AS (
  SELECT tenant_id, sum(calls)::BIGINT AS calls FROM free GROUP BY tenant_id
)
UPDATE bus.webhook_deliveries AS d
SET claimed_until = $2, attempts = d.attempts + 1
FROM (
  SELECT queue.endpoint_id, queue.log_offset
  FROM (
    SELECT turn.*, of_tenants.calls + row_number() OVER (PARTITION BY turn.tenant_id ORDER BY turn.place, turn.log_offset) AS of_tenant
    FROM (
      SELECT free.tenant_id, head.endpoint_id, head.log_offset,
             free.calls + row_number() OVER (PARTITION BY free.id ORDER BY head.log_offset) AS place
      FROM free CROSS JOIN LATERAL (
        SELECT head.endpoint_id, head.log_offset
        FROM bus.webhook_deliveries AS head
        WHERE head.endpoint_id = free.id AND head.state = 'waiting' AND head.next_attempt_at <= $1
          AND (head.claimed_until IS NULL OR head.claimed_until < $1)
          AND NOT EXISTS (
            SELECT FROM bus.webhook_deliveries AS earlier
            WHERE earlier.endpoint_id = head.endpoint_id AND earlier.ordering_key = head.ordering_key AND earlier.state = 'waiting'
              AND earlier.log_offset < head.log_offset)
        ORDER BY head.log_offset
        LIMIT greatest(free.places, 0)
        FOR UPDATE SKIP LOCKED
      ) AS head
    ) AS turn JOIN of_tenants USING (tenant_id)
  ) AS queue
  WHERE queue.of_tenant <= $5
  ORDER BY queue.place, queue.log_offset
  LIMIT $3
) AS mine, bus.webhook_endpoints AS e, bus.event_log AS l
WHERE d.endpoint_id = mine.endpoint_id AND d.log_offset = mine.log_offset AND e.id = d.endpoint_id AND l.log_offset = d.log_offset
RETURNING d.endpoint_id, d.log_offset, d.attempts, d.event_id, e.url, e.key_now,
          CASE WHEN e.key_before_until > $1 THEN array_prepend(e.key_before, e.keys_older) ELSE '{}' END AS keys_before,
          l.envelope::TEXT AS envelope
