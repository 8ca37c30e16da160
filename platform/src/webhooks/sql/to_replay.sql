-- How many events would be told again: ten thousand at most are.
SELECT count(*) AS count
FROM (
  SELECT
  FROM bus.webhook_endpoints e
  JOIN bus.event_log l ON l.tenant_id = e.tenant_id
  WHERE e.tenant_id = $1 AND e.id = $2 AND l.tenant_id = $1
    AND ($3::TEXT IS NULL OR l.event_id = $3) AND ($4::TIMESTAMPTZ IS NULL OR l.published_at >= $4)
    AND (cardinality(e.subjects) = 0 OR l.subject = ANY (e.subjects)) AND l.subject NOT LIKE 'internal.%'
  LIMIT 10000
) AS found
