-- A house of two hundred rooms on a busy morning, and functions that put years of work behind it.
CREATE SCHEMA IF NOT EXISTS bench;
-- Past months have no partitions: nobody works in the past.
SELECT housekeeping.make_task_partitions((now() - interval '18 months')::DATE, 22);

INSERT INTO housekeeping.rooms (tenant_id, property_id, room_id, number, floor, section, room_type)
SELECT '{TENANT}', '{PROPERTY}', 'rom_H' || n, n::TEXT, n / 40, 'A', 'double' FROM generate_series(1, 200) AS n;
INSERT INTO housekeeping.room_status (tenant_id, property_id, room_id, status, last_flipped_by, last_cause)
SELECT '{TENANT}', '{PROPERTY}', 'rom_H' || n, CASE WHEN n <= 60 THEN 'dirty' ELSE 'ready' END,
       '{"type":"system","id":"sys_bench"}', 'manual_override' FROM generate_series(1, 200) AS n;
INSERT INTO housekeeping.housekeeping_tasks
  (id, tenant_id, property_id, room_id, kind, status, priority, assignee_staff_id, checklist_id, checklist_version,
   locale_hint, source, version, created_at, estimated_minutes)
SELECT 'hkt_OPEN' || n, '{TENANT}', '{PROPERTY}', 'rom_H' || n, 'turnover', 'assigned', 'normal', 'stf_H' || n % 10, 'hkc_H', 1,
       'ps-AF', 'manual', 2, now(), 45 FROM generate_series(1, 60) AS n;
INSERT INTO housekeeping.staff_shift_assignments
  (id, tenant_id, property_id, staff_id, shift_id, shift_starts_at, shift_ends_at, capacity_minutes, clocked_in_at, told_in_at, languages)
SELECT 'ssa_H' || n, '{TENANT}', '{PROPERTY}', 'stf_H' || n, 'shf_H', now(), now() + interval '8 hours', 480, now(), now(), '{ps-AF,en}'
FROM generate_series(0, 9) AS n;
INSERT INTO housekeeping.reservation_occupancy (tenant_id, property_id, reservation_id, room_id, arrived_at)
SELECT '{TENANT}', '{PROPERTY}', 'rsv_H' || n, 'rom_H' || n, now() FROM generate_series(61, 180) AS n;

CREATE SEQUENCE bench.histories;

-- Work that is over, from a moment on for so long.
CREATE FUNCTION bench.make_work(count BIGINT, since TIMESTAMPTZ, span INTERVAL) RETURNS VOID LANGUAGE SQL AS $$
  INSERT INTO housekeeping.housekeeping_tasks
    (id, tenant_id, property_id, room_id, reservation_id, kind, status, priority, assignee_staff_id, checklist_id, checklist_version,
     started_at, completed_at, duration_minutes, outcome_results, locale_hint, source, version, created_at, updated_at,
     estimated_minutes, no_maintenance_found)
  SELECT 'hkt_H' || nextval('bench.histories'), '{TENANT}', '{PROPERTY}', 'rom_H' || 1 + n % 200, 'rsv_H' || n,
         CASE WHEN n % 3 = 0 THEN 'mid_stay_clean' ELSE 'turnover' END, 'completed', 'normal', 'stf_H' || n % 10, 'hkc_H', 1,
         at, at + interval '40 minutes', 20 + n % 40, '[]', 'ps-AF', 'manual', 4, at - interval '1 hour', at, 45, true
  FROM (SELECT n, since + span * (n::FLOAT8 / count) + interval '1 hour' AS at FROM generate_series(1, count) AS n) AS done
$$;
CREATE FUNCTION bench.asked_from() RETURNS TEXT LANGUAGE SQL AS
  $$ SELECT to_char(date_trunc('month', now()) - interval '1 month', 'YYYY-MM-DD') $$;
CREATE FUNCTION bench.asked_to() RETURNS TEXT LANGUAGE SQL AS
  $$ SELECT to_char(date_trunc('month', now()) - interval '1 day', 'YYYY-MM-DD') $$;
-- The month that is asked about, each with its inspection.
CREATE FUNCTION bench.make_month(count BIGINT) RETURNS VOID LANGUAGE SQL AS $$
  SELECT bench.make_work(count, date_trunc('month', now()) - interval '1 month' + interval '2 hours', interval '27 days');
  INSERT INTO housekeeping.inspections
    (id, tenant_id, task_id, inspector_staff_id, checklist_id, checklist_version, results, outcome, performed_at)
  SELECT 'ins_' || id, tenant_id, id, 'stf_BOSS', 'hkc_H', 1, '[]', CASE WHEN duration_minutes % 20 = 0 THEN 'fail' ELSE 'pass' END,
         completed_at + interval '15 minutes'
  FROM housekeeping.housekeeping_tasks WHERE status = 'completed';
$$;
-- The sixteen months before it.
CREATE FUNCTION bench.make_history(count BIGINT) RETURNS VOID LANGUAGE SQL AS
  $$ SELECT bench.make_work(count, date_trunc('month', now()) - interval '17 months', interval '470 days') $$;

CREATE FUNCTION bench.forget() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER bench_forget BEFORE INSERT ON housekeeping.board_snapshot_mat FOR EACH ROW EXECUTE FUNCTION bench.forget();
