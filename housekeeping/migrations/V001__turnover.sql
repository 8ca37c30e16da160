-- The turnover slice of the data model: names, types and meanings are those of the specification;
-- what is added stands under "added".

CREATE FUNCTION housekeeping.current_tenant_id() RETURNS TEXT LANGUAGE SQL STABLE AS $$
  -- After SET LOCAL and commit the setting is '' and not NULL.
  SELECT nullif(current_setting('app.tenant_id', true), '')
$$;

-- 3.1 tasks, one partition a month. `created_at` is the millisecond in the task's ULID, so an id names its partition.
CREATE TABLE housekeeping.housekeeping_tasks (
  id                TEXT NOT NULL,
  tenant_id         TEXT NOT NULL,
  property_id       TEXT NOT NULL,
  room_id           TEXT NOT NULL,
  reservation_id    TEXT,
  kind              TEXT NOT NULL CHECK (kind IN
    ('turnover','mid_stay_clean','deep_clean','post_maintenance','post_renovation','inspection')),
  status            TEXT NOT NULL CHECK (status IN
    ('pending','assigned','in_progress','paused','completed','failed','cancelled','requires_maintenance')),
  priority          TEXT NOT NULL CHECK (priority IN ('low','normal','high','urgent')),
  assignee_staff_id TEXT,
  checklist_id      TEXT,
  checklist_version INTEGER,
  scheduled_for     TIMESTAMPTZ,
  started_at        TIMESTAMPTZ,
  paused_at         TIMESTAMPTZ,
  pause_reason      TEXT,
  completed_at      TIMESTAMPTZ,
  duration_minutes  INTEGER,
  failure_reason    TEXT,
  failure_note      TEXT,
  outcome_results   JSONB,
  linen_issued      INTEGER,
  linen_returned    INTEGER,
  locale_hint       TEXT,
  source            TEXT NOT NULL DEFAULT 'manual',
  source_event_id   TEXT,
  version           INTEGER NOT NULL DEFAULT 1,
  created_at        TIMESTAMPTZ NOT NULL DEFAULT now(),
  updated_at        TIMESTAMPTZ NOT NULL DEFAULT now(),
  -- added
  estimated_minutes    INTEGER NOT NULL,
  priority_bumped_at   TIMESTAMPTZ,
  item_id              TEXT,
  retry_of             TEXT,
  no_maintenance_found BOOLEAN,
  paused_seconds       INTEGER NOT NULL DEFAULT 0,
  note                 TEXT,
  cancel_reason        TEXT,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);

CREATE INDEX hkt_tenant_property_status_idx
  ON housekeeping.housekeeping_tasks (tenant_id, property_id, status, priority, scheduled_for);
CREATE INDEX hkt_tenant_room_open_idx
  ON housekeeping.housekeeping_tasks (tenant_id, room_id)
  WHERE status IN ('pending','assigned','in_progress','paused');
CREATE INDEX hkt_tenant_assignee_open_idx
  ON housekeeping.housekeeping_tasks (tenant_id, assignee_staff_id)
  WHERE status IN ('assigned','in_progress','paused');
CREATE INDEX hkt_reservation_idx
  ON housekeeping.housekeeping_tasks (tenant_id, reservation_id)
  WHERE reservation_id IS NOT NULL;

ALTER TABLE housekeeping.housekeeping_tasks ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.housekeeping_tasks FORCE ROW LEVEL SECURITY;
CREATE POLICY hkt_tenant_isolation ON housekeeping.housekeeping_tasks
  USING (tenant_id = housekeeping.current_tenant_id())
  WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- Makes the months from `first` on. A partition asked for by its own name must not leak, so it has the policy too and no grants.
CREATE FUNCTION housekeeping.make_task_partitions(first DATE, months INTEGER) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  starts DATE := date_trunc('month', first)::DATE;
  child  TEXT;
  made   INTEGER := 0;
BEGIN
  FOR i IN 1..months LOOP
    child := 'housekeeping_tasks_' || to_char(starts, 'YYYY_MM');
    IF to_regclass('housekeeping.' || child) IS NULL THEN
      EXECUTE format('CREATE TABLE housekeeping.%I PARTITION OF housekeeping.housekeeping_tasks FOR VALUES FROM (%L) TO (%L)',
        child, starts::TEXT || ' 00:00:00+00', (starts + interval '1 month')::DATE::TEXT || ' 00:00:00+00');
      EXECUTE format('ALTER TABLE housekeeping.%I ENABLE ROW LEVEL SECURITY', child);
      EXECUTE format('ALTER TABLE housekeeping.%I FORCE ROW LEVEL SECURITY', child);
      EXECUTE format('CREATE POLICY hkt_tenant_isolation ON housekeeping.%I USING (tenant_id = housekeeping.current_tenant_id())
        WITH CHECK (tenant_id = housekeeping.current_tenant_id())', child);
      made := made + 1;
    END IF;
    starts := (starts + interval '1 month')::DATE;
  END LOOP;
  RETURN made;
END
$$;

-- 3.2 room status, one row a room
CREATE TABLE housekeeping.room_status (
  tenant_id       TEXT NOT NULL,
  property_id     TEXT NOT NULL,
  room_id         TEXT NOT NULL,
  status          TEXT NOT NULL CHECK (status IN
    ('clean','dirty','cleaning','cleaned','inspected','ready','out_of_order','out_of_service')),
  last_task_id    TEXT,
  last_flipped_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  last_flipped_by JSONB NOT NULL,
  last_cause      TEXT NOT NULL,
  version         INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, property_id, room_id)
);
ALTER TABLE housekeeping.room_status ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.room_status FORCE ROW LEVEL SECURITY;
CREATE POLICY rs_tenant_isolation ON housekeeping.room_status
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
CREATE INDEX rs_tenant_status_idx ON housekeeping.room_status (tenant_id, property_id, status);
-- added: a room is asked for by its id alone
CREATE INDEX rs_tenant_room_idx ON housekeeping.room_status (tenant_id, room_id);

-- 3.3 every flip of a room, for good
CREATE TABLE housekeeping.room_status_audit (
  id              BIGSERIAL PRIMARY KEY,
  tenant_id       TEXT NOT NULL,
  property_id     TEXT NOT NULL,
  room_id         TEXT NOT NULL,
  previous_status TEXT NOT NULL,
  status          TEXT NOT NULL,
  cause           TEXT NOT NULL,
  task_id         TEXT,
  flipped_by      JSONB NOT NULL,
  flipped_at      TIMESTAMPTZ NOT NULL DEFAULT now(),
  -- added: why a supervisor overrode it
  note            TEXT
);
CREATE INDEX rsa_tenant_room_idx
  ON housekeeping.room_status_audit (tenant_id, property_id, room_id, flipped_at DESC);
ALTER TABLE housekeeping.room_status_audit ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.room_status_audit FORCE ROW LEVEL SECURITY;
CREATE POLICY rsa_tenant_isolation ON housekeeping.room_status_audit
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- 3.4 checklists, versioned and immutable
CREATE TABLE housekeeping.cleaning_checklists (
  id           TEXT NOT NULL,
  tenant_id    TEXT NOT NULL,
  kind         TEXT NOT NULL CHECK (kind IN
    ('turnover','mid_stay_clean','deep_clean','post_maintenance','post_renovation','inspection')),
  version      INTEGER NOT NULL,
  items        JSONB NOT NULL,
  published_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  published_by JSONB NOT NULL,
  PRIMARY KEY (id),
  UNIQUE (tenant_id, kind, version)
);
ALTER TABLE housekeeping.cleaning_checklists ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.cleaning_checklists FORCE ROW LEVEL SECURITY;
CREATE POLICY cl_tenant_isolation ON housekeeping.cleaning_checklists
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
CREATE INDEX cl_tenant_kind_latest_idx ON housekeeping.cleaning_checklists (tenant_id, kind, version DESC);

-- 3.5 inspections
CREATE TABLE housekeeping.inspections (
  id                 TEXT NOT NULL PRIMARY KEY,
  tenant_id          TEXT NOT NULL,
  task_id            TEXT NOT NULL,
  inspector_staff_id TEXT NOT NULL,
  checklist_id       TEXT NOT NULL,
  checklist_version  INTEGER NOT NULL,
  results            JSONB NOT NULL,
  outcome            TEXT NOT NULL CHECK (outcome IN ('pass','fail')),
  reason             TEXT,
  failed_item_keys   TEXT[],
  performed_at       TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX ins_task_idx ON housekeeping.inspections (tenant_id, task_id);
ALTER TABLE housekeeping.inspections ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.inspections FORCE ROW LEVEL SECURITY;
CREATE POLICY ins_tenant_isolation ON housekeeping.inspections
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- 3.10 people on shift, as the staff context tells
CREATE TABLE housekeeping.staff_shift_assignments (
  id                TEXT NOT NULL PRIMARY KEY,
  tenant_id         TEXT NOT NULL,
  property_id       TEXT NOT NULL,
  staff_id          TEXT NOT NULL,
  shift_id          TEXT NOT NULL,
  shift_starts_at   TIMESTAMPTZ NOT NULL,
  shift_ends_at     TIMESTAMPTZ NOT NULL,
  capacity_minutes  INTEGER NOT NULL,
  languages         TEXT[],
  skills            TEXT[],
  active_task_count INTEGER NOT NULL DEFAULT 0,
  load_minutes      INTEGER NOT NULL DEFAULT 0,
  ended_at          TIMESTAMPTZ,
  -- added
  assignment_id     TEXT,
  clocked_in_at     TIMESTAMPTZ,
  UNIQUE (tenant_id, shift_id, staff_id)
);
CREATE INDEX ssa_tenant_active_idx ON housekeeping.staff_shift_assignments
  (tenant_id, property_id, shift_starts_at, shift_ends_at) WHERE ended_at IS NULL;
-- added: is this person on shift now?
CREATE INDEX ssa_tenant_staff_idx ON housekeeping.staff_shift_assignments (tenant_id, staff_id) WHERE ended_at IS NULL;
ALTER TABLE housekeeping.staff_shift_assignments ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.staff_shift_assignments FORCE ROW LEVEL SECURITY;
CREATE POLICY ssa_tenant_isolation ON housekeeping.staff_shift_assignments
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- 3.11 outbox, inbox, idempotency keys, audit
CREATE TABLE housekeeping.outbox (
  id            BIGSERIAL PRIMARY KEY,
  event_id      TEXT NOT NULL UNIQUE,
  tenant_id     TEXT NOT NULL,
  subject       TEXT NOT NULL,
  payload       JSONB NOT NULL,
  envelope_meta JSONB NOT NULL,
  created_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
  published_at  TIMESTAMPTZ,
  -- added
  ordering_key  TEXT NOT NULL,
  property_id   TEXT,
  attempts      INTEGER NOT NULL DEFAULT 0,
  last_error    TEXT
);
CREATE INDEX outbox_unpublished_idx ON housekeeping.outbox (id) WHERE published_at IS NULL;
CREATE INDEX outbox_published_idx ON housekeeping.outbox (published_at) WHERE published_at IS NOT NULL;
ALTER TABLE housekeeping.outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.outbox FORCE ROW LEVEL SECURITY;
CREATE POLICY ob_tenant_isolation ON housekeeping.outbox
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
CREATE POLICY ob_relay ON housekeeping.outbox TO melmastoon_relay USING (true) WITH CHECK (true);
CREATE POLICY ob_retention ON housekeeping.outbox TO melmastoon_operator
  USING (published_at < now() - interval '7 days');

CREATE TABLE housekeeping.inbox (
  topic       TEXT NOT NULL,
  message_id  TEXT NOT NULL,
  tenant_id   TEXT NOT NULL,
  received_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  PRIMARY KEY (topic, message_id)
);
CREATE INDEX inbox_received_idx ON housekeeping.inbox (received_at);
ALTER TABLE housekeeping.inbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.inbox FORCE ROW LEVEL SECURITY;
CREATE POLICY ib_tenant_isolation ON housekeeping.inbox
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
CREATE POLICY ib_retention ON housekeeping.inbox TO melmastoon_operator
  USING (received_at < now() - interval '90 days');

CREATE TABLE housekeeping.idempotency_keys (
  tenant_id     TEXT NOT NULL,
  route         TEXT NOT NULL,
  key           TEXT NOT NULL,
  response_hash TEXT NOT NULL,
  response      JSONB NOT NULL,
  status_code   INTEGER NOT NULL,
  created_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
  -- added
  request_hash  TEXT NOT NULL,
  state         TEXT NOT NULL CHECK (state IN ('running','done')),
  PRIMARY KEY (tenant_id, route, key)
);
CREATE INDEX idempotency_created_idx ON housekeeping.idempotency_keys (created_at);
ALTER TABLE housekeeping.idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY ik_tenant_isolation ON housekeeping.idempotency_keys
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
CREATE POLICY ik_retention ON housekeeping.idempotency_keys TO melmastoon_operator
  USING (created_at < now() - interval '24 hours');

CREATE TABLE housekeeping.audit_events (
  id             BIGSERIAL PRIMARY KEY,
  tenant_id      TEXT NOT NULL,
  aggregate_id   TEXT NOT NULL,
  aggregate_kind TEXT NOT NULL,
  event_id       TEXT NOT NULL,
  subject        TEXT NOT NULL,
  payload        JSONB NOT NULL,
  occurred_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
  actor          JSONB NOT NULL
);
CREATE INDEX audit_aggregate_idx ON housekeeping.audit_events
  (tenant_id, aggregate_kind, aggregate_id, occurred_at DESC);
ALTER TABLE housekeeping.audit_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.audit_events FORCE ROW LEVEL SECURITY;
CREATE POLICY ae_tenant_isolation ON housekeeping.audit_events
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- Added tables ------------------------------------------------------------------------------------------------

-- What a room is: its number on the door, its floor. Rooms appear on first sight or by import.
CREATE TABLE housekeeping.rooms (
  tenant_id   TEXT NOT NULL,
  property_id TEXT NOT NULL,
  room_id     TEXT NOT NULL,
  number      TEXT,
  floor       INTEGER,
  section     TEXT,
  room_type   TEXT,
  created_at  TIMESTAMPTZ NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, property_id, room_id)
);
ALTER TABLE housekeeping.rooms ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.rooms FORCE ROW LEVEL SECURITY;
CREATE POLICY rm_tenant_isolation ON housekeeping.rooms
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- Who is in which room, since when. A departure that is told before its arrival leaves a row that is already over.
CREATE TABLE housekeeping.reservation_occupancy (
  tenant_id      TEXT NOT NULL,
  reservation_id TEXT NOT NULL,
  room_id        TEXT NOT NULL,
  property_id    TEXT NOT NULL,
  item_id        TEXT,
  arrived_at     TIMESTAMPTZ,
  departed_at    TIMESTAMPTZ,
  PRIMARY KEY (tenant_id, reservation_id, room_id)
);
CREATE INDEX ro_tenant_room_present_idx ON housekeeping.reservation_occupancy (tenant_id, property_id, room_id)
  WHERE departed_at IS NULL;
ALTER TABLE housekeeping.reservation_occupancy ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.reservation_occupancy FORCE ROW LEVEL SECURITY;
CREATE POLICY ro_tenant_isolation ON housekeeping.reservation_occupancy
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- How this hotel works: inspection or not, language, time zone, minutes by kind.
CREATE TABLE housekeeping.tenant_settings (
  tenant_id  TEXT NOT NULL PRIMARY KEY,
  settings   JSONB NOT NULL,
  version    INTEGER NOT NULL DEFAULT 1,
  updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
ALTER TABLE housekeeping.tenant_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.tenant_settings FORCE ROW LEVEL SECURITY;
CREATE POLICY ts_tenant_isolation ON housekeeping.tenant_settings
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- The window of a shift, kept until people are assigned to it.
CREATE TABLE housekeeping.shifts (
  tenant_id   TEXT NOT NULL,
  shift_id    TEXT NOT NULL,
  property_id TEXT NOT NULL,
  starts_at   TIMESTAMPTZ NOT NULL,
  ends_at     TIMESTAMPTZ NOT NULL,
  ended_at    TIMESTAMPTZ,
  PRIMARY KEY (tenant_id, shift_id)
);
ALTER TABLE housekeeping.shifts ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.shifts FORCE ROW LEVEL SECURITY;
CREATE POLICY sh_tenant_isolation ON housekeeping.shifts
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- What housekeeping needs to know of a person: which languages, which skills.
CREATE TABLE housekeeping.staff_profiles (
  tenant_id TEXT NOT NULL,
  staff_id  TEXT NOT NULL,
  languages TEXT[],
  skills    TEXT[],
  PRIMARY KEY (tenant_id, staff_id)
);
ALTER TABLE housekeeping.staff_profiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.staff_profiles FORCE ROW LEVEL SECURITY;
CREATE POLICY sp_tenant_isolation ON housekeeping.staff_profiles
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- Messages that could not be applied, with the reason, until an operator replays or discards them.
CREATE TABLE housekeeping.dead_letters (
  id          TEXT NOT NULL PRIMARY KEY,
  tenant_id   TEXT NOT NULL,
  event_id    TEXT,
  subject     TEXT NOT NULL,
  message     TEXT NOT NULL,
  code        TEXT NOT NULL,
  error       TEXT NOT NULL,
  pointer     TEXT,
  attempts    INTEGER NOT NULL DEFAULT 1,
  state       TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open','replayed','discarded')),
  failed_at   TIMESTAMPTZ NOT NULL,
  resolved_at TIMESTAMPTZ,
  resolved_by TEXT
);
CREATE UNIQUE INDEX dead_letters_open_idx ON housekeeping.dead_letters (tenant_id, subject, event_id)
  WHERE state = 'open' AND event_id IS NOT NULL;
CREATE INDEX dead_letters_failed_idx ON housekeeping.dead_letters (failed_at);
ALTER TABLE housekeeping.dead_letters ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.dead_letters FORCE ROW LEVEL SECURITY;
CREATE POLICY de_tenant_isolation ON housekeeping.dead_letters
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
CREATE POLICY de_operator ON housekeeping.dead_letters TO melmastoon_operator USING (true) WITH CHECK (true);

-- Grants: named tables only, so that a partition made later has none.
GRANT USAGE ON SCHEMA housekeeping TO melmastoon_app, melmastoon_relay, melmastoon_operator;
GRANT SELECT, INSERT, UPDATE ON
  housekeeping.housekeeping_tasks, housekeeping.room_status, housekeeping.staff_shift_assignments, housekeeping.rooms,
  housekeeping.reservation_occupancy, housekeeping.tenant_settings, housekeeping.shifts, housekeeping.staff_profiles,
  housekeeping.dead_letters
  TO melmastoon_app;
GRANT SELECT, INSERT ON
  housekeeping.room_status_audit, housekeeping.cleaning_checklists, housekeeping.inspections, housekeeping.audit_events,
  housekeeping.outbox, housekeeping.inbox, housekeeping.idempotency_keys
  TO melmastoon_app;
-- An expired key is removed by whoever uses it again.
GRANT DELETE ON housekeeping.idempotency_keys TO melmastoon_app;
GRANT USAGE ON SEQUENCE housekeeping.room_status_audit_id_seq, housekeeping.outbox_id_seq, housekeeping.audit_events_id_seq
  TO melmastoon_app;
GRANT SELECT ON housekeeping.outbox TO melmastoon_relay;
GRANT UPDATE (published_at, attempts, last_error) ON housekeeping.outbox TO melmastoon_relay;
GRANT SELECT, DELETE ON housekeeping.outbox, housekeeping.inbox, housekeeping.idempotency_keys TO melmastoon_operator;
GRANT SELECT, UPDATE, DELETE ON housekeeping.dead_letters TO melmastoon_operator;
