-- The limit: the same reads and writes as the product's transactions, each in one function call, so with one message to
-- the server and no process in between. Run as the application's role, with row level security, generic plans and the tenant set.
-- {T}: the ten time characters of every prepared ULID.

-- An event id that grows with time, as a ULID does.
CREATE FUNCTION bench.event_id(lane INTEGER, i BIGINT, step INTEGER) RETURNS TEXT LANGUAGE SQL VOLATILE AS $$
  SELECT 'evt_' || lpad((extract(epoch FROM clock_timestamp()) * 1000)::BIGINT::TEXT, 14, '0') ||
         lpad((lane * 10000000::BIGINT + i * 10 + step)::TEXT, 12, '0')
$$;

-- As the product writes it, to the byte in length.
CREATE FUNCTION bench.envelope(event_id TEXT, subject TEXT, tenant TEXT, actor TEXT, cause TEXT, at TEXT) RETURNS JSONB
LANGUAGE SQL IMMUTABLE AS $$
  SELECT ('{"specVersion":"1.0","id":"' || event_id || '","subject":"' || subject || '","tenantId":"' || tenant ||
          '","occurredAt":"' || at || '","producer":"housekeeping-service@0.1.0","actor":' || actor ||
          ',"correlationId":"req_01KPTDV30V8VKEYM2XP6Z3R000"' || cause ||
          ',"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}')::JSONB
$$;

CREATE FUNCTION bench.start_task(lane INTEGER, i BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  tenant  TEXT := 'tnt_{T}000000000000000' || lane % 5;
  task    TEXT := 'hkt_{T}' || bench.number(lane, i);
  staff   TEXT := 'stf_{T}' || bench.number(lane, 0);
  now_at  TIMESTAMPTZ := date_trunc('milliseconds', clock_timestamp());
  at_text TEXT := to_char(now_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  actor   TEXT := '{"type":"user","id":"' || staff || '"}';
  event_1 TEXT := bench.event_id(lane, i, 1);
  event_2 TEXT := bench.event_id(lane, i, 2);
  body_1  JSONB;
  body_2  JSONB;
  row     RECORD;
BEGIN
  PERFORM set_config('app.tenant_id', tenant, true);
  SELECT t.*, r.status AS room_status, r.last_task_id, r.last_flipped_at, r.last_flipped_by, r.last_cause,
         r.version AS room_version
  INTO STRICT row
  FROM housekeeping.room_status r
  JOIN housekeeping.housekeeping_tasks t
    ON t.tenant_id = r.tenant_id AND t.property_id = r.property_id AND t.room_id = r.room_id
  WHERE t.id = task AND t.created_at = '{CREATED}' AND t.tenant_id = tenant
  FOR UPDATE OF r, t;

  UPDATE housekeeping.housekeeping_tasks SET
    status = 'in_progress', priority = row.priority, assignee_staff_id = staff, started_at = now_at, paused_at = NULL,
    pause_reason = NULL, completed_at = NULL, duration_minutes = NULL, failure_reason = NULL, failure_note = NULL,
    outcome_results = NULL, linen_issued = NULL, linen_returned = NULL, no_maintenance_found = NULL, paused_seconds = 0,
    cancel_reason = NULL, priority_bumped_at = NULL, version = row.version + 1, updated_at = now_at, attempts = row.attempts,
    scheduled_for = row.scheduled_for, escalated_at = row.escalated_at, escalated_to = row.escalated_to,
    escalation_reason = row.escalation_reason, helper_staff_ids = row.helper_staff_ids, priority_lowered_at = row.priority_lowered_at
  WHERE id = task AND created_at = '{CREATED}' AND tenant_id = tenant AND version = row.version;

  UPDATE housekeeping.room_status SET
    status = 'cleaning', last_task_id = task, last_flipped_at = now_at, last_flipped_by = actor::JSONB,
    last_cause = 'task_started', version = row.room_version + 1
  WHERE tenant_id = tenant AND property_id = row.property_id AND room_id = row.room_id AND version = row.room_version;

  INSERT INTO housekeeping.room_status_audit
    (tenant_id, property_id, room_id, previous_status, status, cause, task_id, flipped_by, flipped_at, note)
  VALUES (tenant, row.property_id, row.room_id, row.room_status, 'cleaning', 'task_started', task, actor::JSONB, now_at, NULL);

  body_1 := ('{"taskId":"' || task || '","tenantId":"' || tenant || '","staffId":"' || staff || '","startedAt":"' || at_text ||
             '","aggregateVersion":' || row.version + 1 || '}')::JSONB;
  body_2 := ('{"tenantId":"' || tenant || '","propertyId":"' || row.property_id || '","roomId":"' || row.room_id ||
             '","previousStatus":"' || row.room_status || '","status":"cleaning","flippedAt":"' || at_text ||
             '","cause":"task_started","taskId":"' || task || '","actor":' || actor ||
             ',"aggregateVersion":' || row.room_version + 1 || '}')::JSONB;
  INSERT INTO housekeeping.audit_events (tenant_id, aggregate_id, aggregate_kind, event_id, subject, payload, occurred_at, actor)
  VALUES (tenant, task, 'task', event_1, 'melmastoon.housekeeping.task.started.v1', body_1, now_at, actor::JSONB),
         (tenant, row.room_id, 'room', event_2, 'melmastoon.housekeeping.room.status_changed.v1', body_2, now_at, actor::JSONB);
  INSERT INTO housekeeping.outbox (event_id, tenant_id, subject, payload, envelope_meta, created_at, ordering_key, property_id)
  VALUES (event_1, tenant, 'melmastoon.housekeeping.task.started.v1', body_1,
          bench.envelope(event_1, 'melmastoon.housekeeping.task.started.v1', tenant, actor, '', at_text), now_at,
          tenant || ':' || task, row.property_id),
         (event_2, tenant, 'melmastoon.housekeeping.room.status_changed.v1', body_2,
          bench.envelope(event_2, 'melmastoon.housekeeping.room.status_changed.v1', tenant, actor, '', at_text), now_at,
          tenant || ':' || row.room_id, row.property_id);
END
$$;

CREATE FUNCTION bench.complete_task(lane INTEGER, i BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  tenant  TEXT := 'tnt_{T}000000000000000' || lane % 5;
  task    TEXT := 'hkt_{T}' || bench.number(lane, i);
  staff   TEXT := 'stf_{T}' || bench.number(lane, 0);
  now_at  TIMESTAMPTZ := date_trunc('milliseconds', clock_timestamp());
  at_text TEXT := to_char(now_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  actor   TEXT := '{"type":"user","id":"' || staff || '"}';
  event_1 TEXT := bench.event_id(lane, i, 3);
  event_2 TEXT := bench.event_id(lane, i, 4);
  results TEXT := '{RESULTS}';
  body_1  JSONB;
  body_2  JSONB;
  row     RECORD;
BEGIN
  PERFORM set_config('app.tenant_id', tenant, true);
  SELECT t.*, r.status AS room_status, r.last_task_id, r.last_flipped_at, r.last_flipped_by, r.last_cause,
         r.version AS room_version
  INTO STRICT row
  FROM housekeeping.room_status r
  JOIN housekeeping.housekeeping_tasks t
    ON t.tenant_id = r.tenant_id AND t.property_id = r.property_id AND t.room_id = r.room_id
  WHERE t.id = task AND t.created_at = '{CREATED}' AND t.tenant_id = tenant
  FOR UPDATE OF r, t;

  UPDATE housekeeping.housekeeping_tasks SET
    status = 'completed', priority = row.priority, assignee_staff_id = staff, started_at = row.started_at, paused_at = NULL,
    pause_reason = NULL, completed_at = now_at, duration_minutes = 0, failure_reason = NULL, failure_note = NULL,
    outcome_results = results::JSONB, linen_issued = 2, linen_returned = 2, no_maintenance_found = true, paused_seconds = 0,
    cancel_reason = NULL, priority_bumped_at = NULL, version = row.version + 1, updated_at = now_at, attempts = row.attempts,
    scheduled_for = row.scheduled_for, escalated_at = row.escalated_at, escalated_to = row.escalated_to,
    escalation_reason = row.escalation_reason, helper_staff_ids = row.helper_staff_ids, priority_lowered_at = row.priority_lowered_at
  WHERE id = task AND created_at = '{CREATED}' AND tenant_id = tenant AND version = row.version;

  UPDATE housekeeping.room_status SET
    status = 'clean', last_task_id = task, last_flipped_at = now_at, last_flipped_by = actor::JSONB,
    last_cause = 'task_completed', version = row.room_version + 1
  WHERE tenant_id = tenant AND property_id = row.property_id AND room_id = row.room_id AND version = row.room_version;

  INSERT INTO housekeeping.room_status_audit
    (tenant_id, property_id, room_id, previous_status, status, cause, task_id, flipped_by, flipped_at, note)
  VALUES (tenant, row.property_id, row.room_id, row.room_status, 'clean', 'task_completed', task, actor::JSONB, now_at, NULL);

  body_1 := ('{"taskId":"' || task || '","tenantId":"' || tenant || '","staffId":"' || staff || '","completedAt":"' || at_text ||
             '","durationMinutes":0,"checklistResults":' || results ||
             ',"linen":{"issued":2,"returned":2},"noMaintenanceFound":true,"aggregateVersion":' || row.version + 1 || '}')::JSONB;
  body_2 := ('{"tenantId":"' || tenant || '","propertyId":"' || row.property_id || '","roomId":"' || row.room_id ||
             '","previousStatus":"' || row.room_status || '","status":"clean","flippedAt":"' || at_text ||
             '","cause":"task_completed","taskId":"' || task || '","actor":' || actor ||
             ',"aggregateVersion":' || row.room_version + 1 || '}')::JSONB;
  INSERT INTO housekeeping.audit_events (tenant_id, aggregate_id, aggregate_kind, event_id, subject, payload, occurred_at, actor)
  VALUES (tenant, task, 'task', event_1, 'melmastoon.housekeeping.task.completed.v1', body_1, now_at, actor::JSONB),
         (tenant, row.room_id, 'room', event_2, 'melmastoon.housekeeping.room.status_changed.v1', body_2, now_at, actor::JSONB);
  INSERT INTO housekeeping.outbox (event_id, tenant_id, subject, payload, envelope_meta, created_at, ordering_key, property_id)
  VALUES (event_1, tenant, 'melmastoon.housekeeping.task.completed.v1', body_1,
          bench.envelope(event_1, 'melmastoon.housekeeping.task.completed.v1', tenant, actor, '', at_text), now_at,
          tenant || ':' || task, row.property_id),
         (event_2, tenant, 'melmastoon.housekeeping.room.status_changed.v1', body_2,
          bench.envelope(event_2, 'melmastoon.housekeeping.room.status_changed.v1', tenant, actor, '', at_text), now_at,
          tenant || ':' || row.room_id, row.property_id);
END
$$;

CREATE FUNCTION bench.check_out(only_lane INTEGER, i BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  tenant    TEXT := 'tnt_{T}000000000000000' || only_lane % 5;
  property  TEXT := 'prp_{T}000000000000000' || only_lane % 5;
  room      TEXT := 'rom_{T}' || bench.number(only_lane, 1000000 + i);
  stay      TEXT := 'rsv_{T}' || bench.number(only_lane, 1000000 + i);
  item      TEXT := '{T}' || bench.number(only_lane, 1000000 + i);
  task      TEXT := 'hkt_{T}' || bench.number(only_lane, 1000000 + i);
  told      TEXT := 'evt_{T}' || bench.number(only_lane, 1000000 + i);
  now_at    TIMESTAMPTZ := date_trunc('milliseconds', clock_timestamp());
  at_text   TEXT := to_char(now_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  actor     TEXT := '{"type":"system","id":"sys_reservation"}';
  cause     TEXT := ',"causationId":"' || told || '"';
  event_1   TEXT := bench.event_id(only_lane, i, 5);
  event_2   TEXT := bench.event_id(only_lane, i, 6);
  turnover  TEXT;
  body_1    JSONB;
  body_2    JSONB;
  row       RECORD;
  open_one  RECORD;
BEGIN
  PERFORM set_config('app.tenant_id', tenant, true);
  INSERT INTO housekeeping.inbox (topic, message_id, tenant_id, received_at)
  VALUES ('melmastoon.reservation.checked_out.v1', told, tenant, now_at)
  ON CONFLICT DO NOTHING;
  SELECT * INTO STRICT row FROM housekeeping.room_status
  WHERE tenant_id = tenant AND property_id = property AND room_id = ANY (ARRAY[room])
  ORDER BY room_id FOR UPDATE;
  SELECT * INTO open_one FROM housekeeping.housekeeping_tasks
  WHERE tenant_id = tenant AND room_id = ANY (ARRAY[room]) AND property_id = property
    AND status IN ('pending', 'assigned', 'in_progress', 'paused')
  ORDER BY room_id, id FOR UPDATE;
  IF found THEN RAISE EXCEPTION 'a room with open work'; END IF;
  PERFORM DISTINCT room_id FROM housekeeping.housekeeping_tasks
  WHERE tenant_id = tenant AND reservation_id = stay AND kind = 'turnover' AND retry_of IS NULL;
  -- The product remembers the tenant's checklist; here it is as near as a lookup by primary key.
  SELECT l.turnover INTO STRICT turnover FROM bench.lanes l WHERE l.lane = only_lane;

  INSERT INTO housekeeping.reservation_occupancy (tenant_id, property_id, reservation_id, room_id, item_id, departed_at)
  VALUES (tenant, property, stay, room, item, now_at)
  ON CONFLICT (tenant_id, reservation_id, room_id) DO UPDATE
  SET departed_at = coalesce(reservation_occupancy.departed_at, excluded.departed_at);

  INSERT INTO housekeeping.housekeeping_tasks (
    id, tenant_id, property_id, room_id, reservation_id, kind, status, priority, checklist_id, checklist_version,
    scheduled_for, locale_hint, source, source_event_id, version, created_at, updated_at,
    estimated_minutes, priority_bumped_at, item_id, retry_of, note)
  VALUES (task, tenant, property, room, stay, 'turnover', 'pending', 'normal', turnover, 1, NULL, 'ps-AF', 'event', told, 1,
          '{CREATED}', now_at, 45, NULL, item, NULL, NULL);

  UPDATE housekeeping.room_status SET
    status = 'dirty', last_task_id = task, last_flipped_at = now_at, last_flipped_by = actor::JSONB,
    last_cause = 'reservation_checked_out', version = row.version + 1
  WHERE tenant_id = tenant AND property_id = property AND room_id = room AND version = row.version;

  INSERT INTO housekeeping.room_status_audit
    (tenant_id, property_id, room_id, previous_status, status, cause, task_id, flipped_by, flipped_at, note)
  VALUES (tenant, property, room, row.status, 'dirty', 'reservation_checked_out', task, actor::JSONB, now_at, NULL);

  body_1 := ('{"taskId":"' || task || '","tenantId":"' || tenant || '","propertyId":"' || property || '","roomId":"' || room ||
             '","reservationId":"' || stay || '","kind":"turnover","priority":"normal","checklistId":"' ||
             turnover || '","checklistVersion":1,"localeHint":"ps-AF","source":"event","sourceEventId":"' || told ||
             '","aggregateVersion":1}')::JSONB;
  body_2 := ('{"tenantId":"' || tenant || '","propertyId":"' || property || '","roomId":"' || room ||
             '","previousStatus":"' || row.status || '","status":"dirty","flippedAt":"' || at_text ||
             '","cause":"reservation_checked_out","taskId":"' || task || '","actor":' || actor ||
             ',"aggregateVersion":' || row.version + 1 || '}')::JSONB;
  INSERT INTO housekeeping.audit_events (tenant_id, aggregate_id, aggregate_kind, event_id, subject, payload, occurred_at, actor)
  VALUES (tenant, task, 'task', event_1, 'melmastoon.housekeeping.task.created.v1', body_1, now_at, actor::JSONB),
         (tenant, room, 'room', event_2, 'melmastoon.housekeeping.room.status_changed.v1', body_2, now_at, actor::JSONB);
  INSERT INTO housekeeping.outbox (event_id, tenant_id, subject, payload, envelope_meta, created_at, ordering_key, property_id)
  VALUES (event_1, tenant, 'melmastoon.housekeeping.task.created.v1', body_1,
          bench.envelope(event_1, 'melmastoon.housekeeping.task.created.v1', tenant, actor, cause, at_text), now_at,
          tenant || ':' || task, property),
         (event_2, tenant, 'melmastoon.housekeeping.room.status_changed.v1', body_2,
          bench.envelope(event_2, 'melmastoon.housekeeping.room.status_changed.v1', tenant, actor, cause, at_text), now_at,
          tenant || ':' || room, property);
END
$$;
