-- Ten thousand hotel companies with a quiet afternoon: rooms, work, people, things that were found and guests who are to come, and
-- nothing of it due. {T}: the ten time characters of every prepared ULID. {N}: companies.
CREATE TEMPORARY TABLE quiet AS
SELECT n, 'tnt_{T}0000000000Q' || lpad(n::TEXT, 5, '0') AS tenant, 'prp_{T}0000000000Q' || lpad(n::TEXT, 5, '0') AS property
FROM generate_series(1, {N}) n;
INSERT INTO housekeeping.tenant_settings (tenant_id, settings) SELECT tenant, '{}' FROM quiet;
INSERT INTO housekeeping.room_status (tenant_id, property_id, room_id, status, last_flipped_by, last_cause)
SELECT tenant, property, 'rom_QUIET', 'ready', '{"type":"system","id":"sys_bench"}', 'manual_override' FROM quiet;
-- One that is done, and one that waits: urgent, and nobody has been waiting for long.
INSERT INTO housekeeping.housekeeping_tasks
  (id, tenant_id, property_id, room_id, kind, status, priority, assignee_staff_id, checklist_id, checklist_version, locale_hint, source,
   version, created_at, estimated_minutes, priority_bumped_at, started_at, completed_at, duration_minutes)
SELECT 'hkt_{T}000000000' || k || 'Q' || lpad(n::TEXT, 5, '0'), tenant, property, 'rom_QUIET', 'turnover',
       CASE k WHEN 1 THEN 'completed' ELSE 'assigned' END, 'urgent', 'stf_QUIET', 'hkc_QUIET', 1, 'ps-AF', 'manual', 2, '{CREATED}', 45, now(),
       CASE k WHEN 1 THEN now() END, CASE k WHEN 1 THEN now() END, CASE k WHEN 1 THEN 30 END
FROM quiet CROSS JOIN generate_series(1, 2) k;
-- Somebody is there, and has time enough.
INSERT INTO housekeeping.staff_shift_assignments
  (id, tenant_id, property_id, staff_id, shift_id, shift_starts_at, shift_ends_at, capacity_minutes, clocked_in_at)
SELECT 'ssa_QUIET' || n, tenant, property, 'stf_QUIET', 'shf_QUIET', now(), now() + interval '8 hours', 480, now() FROM quiet;
INSERT INTO housekeeping.lost_and_found (id, tenant_id, property_id, room_id, description, finder_staff_id)
SELECT 'laf_QUIET' || n, tenant, property, 'rom_QUIET', 'an umbrella', 'stf_QUIET' FROM quiet;
INSERT INTO housekeeping.reservation_occupancy (tenant_id, property_id, reservation_id, room_id, arrived_at)
SELECT tenant, property, 'rsv_QUIET', 'rom_QUIET', now() - interval '3 days' FROM quiet;
INSERT INTO housekeeping.planning_requests (tenant_id, property_id, reason, asked_at, asked, planned)
SELECT tenant, property, 'shift_ended', now(), 1, 1 FROM quiet;
INSERT INTO staff.departments (tenant_id, id, name, version, created_at, updated_at)
SELECT tenant, 'dep_QUIET', 'Rooms', 1, now(), now() FROM quiet;
INSERT INTO staff.positions (tenant_id, id, department_id, name, version, created_at, updated_at)
SELECT tenant, 'pos_QUIET', 'dep_QUIET', 'Housekeeper', 1, now(), now() FROM quiet;
INSERT INTO staff.people
  (tenant_id, id, staff_code, given_name, family_name, home_property_id, property_access, position_id, department_id, employment_type,
   employment_status, employment_started_at, version, created_at, updated_at)
SELECT tenant, 'stf_QUIET' || k, 'Q-' || k, 'Somebody', 'Wardak', property, ARRAY[property], 'pos_QUIET', 'dep_QUIET', 'full_time', 'active',
       '2026-01-01', 1, now(), now()
FROM quiet CROSS JOIN generate_series(1, 3) k;
INSERT INTO reservation.timers (tenant_id, reservation_id, kind, due_at)
SELECT tenant, 'rsv_QUIET', kind, now() + interval '1 day'
FROM quiet CROSS JOIN unnest(ARRAY['hold_expiry', 'no_show', 'overstay']) AS kind;
DROP TABLE quiet;
VACUUM (ANALYZE) housekeeping.tenant_settings, housekeeping.room_status, housekeeping.housekeeping_tasks,
  housekeeping.staff_shift_assignments, housekeeping.lost_and_found, housekeeping.reservation_occupancy, housekeeping.planning_requests,
  staff.people, reservation.timers
