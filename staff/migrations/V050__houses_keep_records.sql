-- Punches that have been kept long enough, by the number of days of the house they were punched in, else of the tenant.
CREATE OR REPLACE FUNCTION staff.tenants_with_old_time_records(moment TIMESTAMPTZ, usual_days INTEGER) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT t.tenant_id FROM (SELECT DISTINCT tenant_id FROM staff.people) t
  LEFT JOIN staff.settings s ON s.tenant_id = t.tenant_id AND s.property_id = ''
  WHERE EXISTS (
    SELECT FROM staff.clock_entries e
    LEFT JOIN staff.settings h ON h.tenant_id = e.tenant_id AND h.property_id = e.property_id
    WHERE e.tenant_id = t.tenant_id AND e.occurred_at < moment - make_interval(days => coalesce(
      (h.settings ->> 'timeRecordsKeptDays')::INTEGER, (s.settings ->> 'timeRecordsKeptDays')::INTEGER, usual_days)))
$$;
