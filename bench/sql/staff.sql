-- A hotel company of its own for staff. {N}: people.
INSERT INTO staff.people
  (tenant_id, id, staff_code, given_name, family_name, home_property_id, property_access, position_id, department_id,
   employment_type, employment_status, employment_started_at, version, created_at, updated_at)
SELECT 'tnt_BENCHSTAFF', 'stf_B' || lpad(n::TEXT, 7, '0'), 'B-' || lpad(n::TEXT, 7, '0'), 'Somebody', 'Wardak', 'prp_BENCH',
       '{prp_BENCH}', p.id, p.department_id, 'full_time', 'active', '2026-01-01', 1, now(), now()
FROM generate_series(0, {N} - 1) n
CROSS JOIN (SELECT id, department_id FROM staff.positions WHERE tenant_id = 'tnt_BENCHSTAFF' AND code = 'HOUSEKEEPER') p;

-- They came and went on the two days before: who plans a question over an empty table reads all of it as long as nobody counts its rows.
INSERT INTO staff.clock_entries (tenant_id, id, staff_id, property_id, kind, occurred_at, recorded_at, source, from_offline, needs_review, version)
SELECT 'tnt_BENCHSTAFF', 'clk_S' || lpad(n::TEXT, 7, '0') || day || punch.kind, 'stf_B' || lpad(n::TEXT, 7, '0'), 'prp_BENCH', punch.kind, punch.at, punch.at,
       'web', false, '{}', 1
FROM generate_series(0, {N} - 1) n
CROSS JOIN generate_series(1, 2) day
CROSS JOIN LATERAL (VALUES ('in', date_trunc('hour', now()) - day * interval '1 day'),
                           ('out', date_trunc('hour', now()) - day * interval '1 day' + interval '8 hours')) AS punch (kind, at);

-- The limit of a punch: the same reads and writes in one function call.
CREATE FUNCTION bench.punch(person TEXT, kind TEXT, i BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  tenant  TEXT := 'tnt_BENCHSTAFF';
  at      TIMESTAMPTZ := date_trunc('milliseconds', clock_timestamp());
  entry   TEXT := 'clk_' || lpad((extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT::TEXT, 16, '0') || lpad(i::TEXT, 10, '0');
  event   TEXT := 'evt_' || substr(entry, 5);
  body    JSONB;
  row     RECORD;
BEGIN
  PERFORM set_config('app.tenant_id', tenant, true);
  SELECT * INTO STRICT row FROM staff.people WHERE tenant_id = tenant AND id = person FOR UPDATE;
  PERFORM * FROM staff.clock_entries
    WHERE tenant_id = tenant AND staff_id = person AND occurred_at >= at - interval '8 days' AND occurred_at <= at + interval '2 days';
  PERFORM a.staff_id, a.shift_id, s.local_date FROM staff.shift_assignments a
    JOIN staff.shifts s ON s.tenant_id = a.tenant_id AND s.id = a.shift_id
    WHERE a.tenant_id = tenant AND a.staff_id = person AND a.status = 'active'
      AND a.ends_at > at - interval '8 days' AND a.starts_at < at + interval '2 days';
  PERFORM * FROM staff.settings WHERE tenant_id = tenant AND property_id IN ('', 'prp_BENCH');
  INSERT INTO staff.clock_entries (tenant_id, id, staff_id, property_id, kind, occurred_at, recorded_at, source, from_offline,
    needs_review, version)
  VALUES (tenant, entry, person, 'prp_BENCH', kind, at, at, 'web', false, '{unscheduled}', 1);
  body := jsonb_build_object('clockEntryId', entry, 'tenantId', tenant, 'staffId', person, 'propertyId', 'prp_BENCH',
    'shiftId', NULL, 'occurredAtUtc', at, 'recordedAtUtc', at, 'source', 'web', 'managerOverride', false,
    'fromOfflineReplay', false, 'matchedScheduledShift', false, 'aggregateVersion', 1);
  WITH told AS (
    INSERT INTO staff.outbox (event_id, tenant_id, subject, payload, envelope_meta, created_at, ordering_key, property_id)
    VALUES (event, tenant, 'melmastoon.staff.clock.' || kind || '.v1', body, bench.envelope(event,
      'melmastoon.staff.clock.' || kind || '.v1', tenant, '{"type":"user","id":"' || person || '"}', '', at::TEXT), at, person, 'prp_BENCH'))
  INSERT INTO staff.audit_events (tenant_id, aggregate_id, aggregate_kind, event_id, subject, payload, occurred_at, actor)
  VALUES (tenant, entry, 'clock_entry', event, 'melmastoon.staff.clock.' || kind || '.v1', body, at,
    jsonb_build_object('type', 'user', 'id', person));
END
$$;
GRANT EXECUTE ON FUNCTION bench.punch(TEXT, TEXT, BIGINT) TO melmastoon_app
