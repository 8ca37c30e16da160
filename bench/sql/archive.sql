-- A month of tasks that are over, so many months ago, of one tenant.
CREATE SCHEMA IF NOT EXISTS bench;
CREATE SEQUENCE IF NOT EXISTS bench.old_tasks;

-- The partition is the owner's, as in a hotel: the archive's function drops it as the owner.
CREATE OR REPLACE FUNCTION bench.make_old_month(months_ago INTEGER, count BIGINT, results JSONB) RETURNS DATE LANGUAGE plpgsql AS $$
DECLARE
  month DATE := (date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => months_ago))::DATE;
  begins TIMESTAMPTZ := (month::TEXT || ' 00:00:00+00')::TIMESTAMPTZ;
BEGIN
  SET LOCAL ROLE melmastoon_owner;
  PERFORM housekeeping.make_task_partitions(month, 1);
  RESET ROLE;
  INSERT INTO housekeeping.housekeeping_tasks
    (id, tenant_id, property_id, room_id, reservation_id, kind, status, priority, assignee_staff_id, checklist_id, checklist_version,
     started_at, completed_at, duration_minutes, outcome_results, linen_issued, linen_returned, locale_hint, source, source_event_id,
     version, created_at, updated_at, estimated_minutes, no_maintenance_found)
  SELECT 'hkt_01' || upper(lpad(to_hex(nextval('bench.old_tasks')), 12, '0')) || upper(substr(md5(n::TEXT), 1, 12)),
         'tnt_01KPSY36J000000000000ARCHV', 'prp_01KPSY36J0000000000000000' || n % 10, 'rom_01KPSY36J00000000000000' || lpad((n % 200)::TEXT, 3, '0'),
         'rsv_01' || upper(substr(md5((n / 3)::TEXT), 1, 24)), CASE WHEN n % 3 = 0 THEN 'mid_stay_clean' ELSE 'turnover' END, 'completed',
         (ARRAY['normal', 'high', 'low', 'normal'])[1 + n % 4], 'stf_01KPSY36J00000000000000' || lpad((n % 97)::TEXT, 3, '0'),
         'hkc_01KPSY36J0000000000000000A', 1 + n % 3, at, at + interval '1 second' * (1200 + n % 1800), 20 + n % 30, results,
         n % 5, n % 5, 'ps-AF', 'event', 'evt_01' || upper(substr(md5('e' || n), 1, 24)), 4, at - interval '1 hour', at, 30 + n % 20, n % 7 > 0
  FROM (SELECT n, begins + interval '1 hour' + interval '27 days' * (n::FLOAT8 / count) AS at FROM generate_series(1, count) AS n) AS done;
  RETURN month;
END
$$;
