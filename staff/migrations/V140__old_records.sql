-- Which tenants have punches that were kept long enough is asked every hour. The term of a punch depends on its house, and no index knows
-- that: what is older than the shortest term of all is looked at first, one tenant after the other, the oldest first, and one will do.
CREATE OR REPLACE FUNCTION staff.tenants_with_old_time_records(moment TIMESTAMPTZ, usual_days INTEGER) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT t.tenant_id FROM (SELECT DISTINCT tenant_id FROM staff.people) t
  CROSS JOIN LATERAL (
    SELECT coalesce(max(s.days) FILTER (WHERE s.property_id = ''), usual_days) AS usual, min(s.days) AS shortest
    FROM (
      SELECT property_id, (settings ->> 'timeRecordsKeptDays')::INTEGER AS days FROM staff.settings WHERE tenant_id = t.tenant_id
    ) s
  ) k
  CROSS JOIN LATERAL (
    SELECT FROM staff.clock_entries e
    LEFT JOIN staff.settings h ON h.tenant_id = e.tenant_id AND h.property_id = e.property_id
    WHERE e.tenant_id = t.tenant_id
      AND e.occurred_at < moment - make_interval(days => least(k.usual, k.shortest))
      AND e.occurred_at < moment - make_interval(days => coalesce((h.settings ->> 'timeRecordsKeptDays')::INTEGER, k.usual))
    ORDER BY e.occurred_at LIMIT 1
  ) old
$$
