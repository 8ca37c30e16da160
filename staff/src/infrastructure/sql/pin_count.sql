-- One more try, counted before it is judged. What is shut stays shut until its time, and then begins anew. In the order of the
-- names, so that no two wait for each other.
INSERT INTO staff.pin_attempts AS kept (tenant_id, scope, failures, most, span_seconds, since)
SELECT $1, s.scope, 1, s.most, s.span_seconds, $5
FROM unnest($2::TEXT[], $3::INTEGER[], $4::INTEGER[]) AS s (scope, most, span_seconds)
ORDER BY s.scope
ON CONFLICT (tenant_id, scope) DO UPDATE SET
  failures = CASE WHEN coalesce(kept.shut_until, kept.since + make_interval(secs => kept.span_seconds)) <= excluded.since
             THEN 1 ELSE kept.failures + 1 END,
  since = CASE WHEN coalesce(kept.shut_until, kept.since + make_interval(secs => kept.span_seconds)) <= excluded.since
          THEN excluded.since ELSE kept.since END,
  shut_until = CASE
    WHEN coalesce(kept.shut_until, kept.since + make_interval(secs => kept.span_seconds)) <= excluded.since THEN NULL
    WHEN kept.shut_until IS NULL AND kept.failures + 1 >= excluded.most
    THEN excluded.since + make_interval(secs => excluded.span_seconds)
    ELSE kept.shut_until END,
  most = excluded.most,
  span_seconds = excluded.span_seconds
RETURNING scope, failures, shut_until
