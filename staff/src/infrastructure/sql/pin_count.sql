-- One more try, counted before it is judged, and what it is judged by: whose code it is, what is kept of the PIN, and whether one was
-- taken at this source lately. Where it is shut nothing is written, and what is shut does not grow. A failure counts until its time
-- is over; with as many as may be it is shut for that time from the last of them. In the order of the names, so that no two wait for
-- each other. What is not in `counted` was shut a moment ago.
WITH who AS (
  SELECT
    p.id,
    CASE WHEN p.employment_status IN ('pending_invite', 'active') THEN k.hash END AS hash,
    EXISTS (SELECT 1 FROM staff.pin_sources s
            WHERE s.tenant_id = $1 AND s.source = $8 AND s.staff_id = p.id AND s.taken_at > $9) AS person_known,
    EXISTS (SELECT 1 FROM staff.pin_sources s WHERE s.tenant_id = $1 AND s.source = $8 AND s.taken_at > $9) AS tenant_known
  FROM (SELECT 1) AS always
  LEFT JOIN staff.people p ON p.tenant_id = $1 AND p.code_key = $7
  LEFT JOIN staff.pins k ON k.tenant_id = $1 AND k.staff_id = p.id
), asked AS (
  SELECT s.scope, s.most, s.span_seconds,
    CASE s.spared WHEN 'person' THEN who.person_known WHEN 'tenant' THEN who.tenant_known ELSE false END AS spared
  FROM unnest($2::TEXT[], $3::INTEGER[], $4::INTEGER[], $5::TEXT[]) AS s (scope, most, span_seconds, spared) CROSS JOIN who
), shut AS (
  -- each by its own name: asked for all at once, a table that nobody has counted yet is read as a whole
  SELECT max((SELECT kept.shut_until FROM staff.pin_attempts kept
              WHERE kept.tenant_id = $1 AND kept.scope = asked.scope AND kept.shut_until > $6)) AS until
  FROM asked WHERE NOT asked.spared
), counted AS (
  INSERT INTO staff.pin_attempts AS kept (tenant_id, scope, failures, most, span_seconds, since, failed_at)
  SELECT $1, asked.scope, 1, asked.most, asked.span_seconds, $6, ARRAY[$6]
  FROM asked CROSS JOIN shut WHERE shut.until IS NULL
  ORDER BY asked.scope
  ON CONFLICT (tenant_id, scope) DO UPDATE SET
    (failed_at, failures, since, shut_until, most, span_seconds) = (
      SELECT
        failed.times, cardinality(failed.times), failed.last,
        CASE WHEN cardinality(failed.times) >= excluded.most
             THEN failed.last + make_interval(secs => excluded.span_seconds) END,
        excluded.most, excluded.span_seconds
      FROM (
        SELECT array_agg(t ORDER BY t) AS times, max(t) AS last
        FROM unnest(kept.failed_at || excluded.since) AS t
        WHERE t > excluded.since - make_interval(secs => excluded.span_seconds)
      ) AS failed
    )
  WHERE kept.shut_until IS NULL OR kept.shut_until <= excluded.since
  RETURNING scope
)
SELECT
  who.id, who.hash, who.person_known, who.tenant_known,
  (SELECT until FROM shut) AS shut_until,
  ARRAY(SELECT scope FROM counted) AS counted
FROM who
