-- The try of $4 was no failure after all. $3 is the code at its source, which begins anew. Whatever became shut with it is open again.
WITH mine AS (
  SELECT scope, failed_at, array_position(failed_at, $4::TIMESTAMPTZ) AS own
  FROM staff.pin_attempts WHERE tenant_id = $1 AND scope = ANY ($2::TEXT[]) ORDER BY scope FOR UPDATE
), remaining AS (
  SELECT scope, CASE WHEN scope = $3 THEN '{}' ELSE failed_at[:own - 1] || failed_at[own + 1:] END AS times
  FROM mine WHERE scope = $3 OR own IS NOT NULL
)
UPDATE staff.pin_attempts kept SET
  failed_at = remaining.times,
  failures = cardinality(remaining.times),
  shut_until = CASE WHEN cardinality(remaining.times) >= kept.most THEN kept.shut_until END
FROM remaining WHERE kept.tenant_id = $1 AND kept.scope = remaining.scope
