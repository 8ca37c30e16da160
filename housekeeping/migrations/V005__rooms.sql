-- Why a room cannot be used, what was seen in it, who is expected in it, and who has been away from the clock for a while.

-- 3.9 blocks of rooms
CREATE TABLE housekeeping.room_blocks (
  id            TEXT NOT NULL PRIMARY KEY,
  tenant_id     TEXT NOT NULL,
  property_id   TEXT NOT NULL,
  room_id       TEXT NOT NULL,
  reason        TEXT NOT NULL CHECK (reason IN ('cleaning','inspection','maintenance','oos_echo','oos')),
  owner         TEXT NOT NULL CHECK (owner IN ('housekeeping','maintenance','property')),
  blocked_until TIMESTAMPTZ,
  note          TEXT,
  created_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
  cleared_at    TIMESTAMPTZ,
  -- added
  task_id       TEXT,
  version       INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX rb_tenant_room_open_idx ON housekeeping.room_blocks (tenant_id, property_id, room_id) WHERE cleared_at IS NULL;
CREATE INDEX rb_cleared_idx ON housekeeping.room_blocks (cleared_at) WHERE cleared_at IS NOT NULL;
ALTER TABLE housekeeping.room_blocks ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.room_blocks FORCE ROW LEVEL SECURITY;
CREATE POLICY rb_tenant_isolation ON housekeeping.room_blocks
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
CREATE POLICY rb_retention ON housekeeping.room_blocks TO melmastoon_operator
  USING (cleared_at < bus.purge_moment() - interval '90 days');

-- Maintenance's jobs as it tells of them. A job that is done before it is told that it was opened leaves a row that is already over.
CREATE TABLE housekeeping.maintenance_blocks (
  tenant_id     TEXT NOT NULL,
  work_order_id TEXT NOT NULL,
  property_id   TEXT NOT NULL,
  room_id       TEXT NOT NULL,
  task_id       TEXT,
  -- whether the room cannot be used meanwhile
  blocking      BOOLEAN NOT NULL,
  blocked_until TIMESTAMPTZ,
  opened_at     TIMESTAMPTZ,
  cleared_at    TIMESTAMPTZ,
  PRIMARY KEY (tenant_id, work_order_id)
);
CREATE INDEX mb_tenant_room_open_idx ON housekeeping.maintenance_blocks (tenant_id, property_id, room_id) WHERE cleared_at IS NULL;
CREATE INDEX mb_cleared_idx ON housekeeping.maintenance_blocks (cleared_at) WHERE cleared_at IS NOT NULL;
ALTER TABLE housekeeping.maintenance_blocks ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.maintenance_blocks FORCE ROW LEVEL SECURITY;
CREATE POLICY mb_tenant_isolation ON housekeeping.maintenance_blocks
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
CREATE POLICY mb_retention ON housekeeping.maintenance_blocks TO melmastoon_operator
  USING (cleared_at < bus.purge_moment() - interval '90 days');

-- 4.1 everything that blocks a room. As whoever asks: a view of its owner's would show every tenant's.
CREATE VIEW housekeeping.room_blocks_view WITH (security_invoker = true) AS
  SELECT tenant_id, property_id, room_id, id, reason, owner, blocked_until, note, created_at, cleared_at
  FROM housekeeping.room_blocks
  UNION ALL
  SELECT tenant_id, property_id, room_id, work_order_id, 'maintenance', 'maintenance', blocked_until, NULL, opened_at, cleared_at
  FROM housekeeping.maintenance_blocks WHERE blocking;

-- What was seen in a room and is not what the desk has on record. At most one of a room waits for an answer.
CREATE TABLE housekeeping.discrepancies (
  id             TEXT NOT NULL PRIMARY KEY,
  tenant_id      TEXT NOT NULL,
  property_id    TEXT NOT NULL,
  room_id        TEXT NOT NULL,
  observed       TEXT NOT NULL CHECK (observed IN ('vacant','occupied')),
  recorded       TEXT NOT NULL CHECK (recorded IN ('vacant','occupied')),
  observed_by    JSONB NOT NULL,
  observed_at    TIMESTAMPTZ NOT NULL,
  note           TEXT,
  resolution     TEXT CHECK (resolution IN ('desk_right','housekeeping_right','guest_moved','left_without_checkout','other')),
  resolution_note TEXT,
  resolved_by    JSONB,
  resolved_at    TIMESTAMPTZ,
  version        INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX dsc_one_open_idx ON housekeeping.discrepancies (tenant_id, property_id, room_id) WHERE resolved_at IS NULL;
CREATE INDEX dsc_tenant_property_idx ON housekeeping.discrepancies (tenant_id, property_id, id);
ALTER TABLE housekeeping.discrepancies ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.discrepancies FORCE ROW LEVEL SECURITY;
CREATE POLICY dsc_tenant_isolation ON housekeeping.discrepancies
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- A booking before anybody has a room: when they come. `as_of` is when that was said, so that an older word does not count.
CREATE TABLE housekeeping.expected_stays (
  tenant_id      TEXT NOT NULL,
  reservation_id TEXT NOT NULL,
  property_id    TEXT,
  arrives_at     TIMESTAMPTZ,
  as_of          TIMESTAMPTZ,
  -- they will not come
  over_at        TIMESTAMPTZ,
  -- a clean that was asked for before it was told that they are in
  clean_asked_at    TIMESTAMPTZ,
  clean_asked_event TEXT,
  PRIMARY KEY (tenant_id, reservation_id)
);
CREATE INDEX es_over_idx ON housekeeping.expected_stays (over_at) WHERE over_at IS NOT NULL;
ALTER TABLE housekeeping.expected_stays ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.expected_stays FORCE ROW LEVEL SECURITY;
CREATE POLICY es_tenant_isolation ON housekeeping.expected_stays
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
CREATE POLICY es_retention ON housekeeping.expected_stays TO melmastoon_operator
  USING (coalesce(over_at, arrives_at) < bus.purge_moment() - interval '90 days');

-- They stand at the desk: no date that is told later makes them wait.
ALTER TABLE housekeeping.arrivals ADD COLUMN at_desk BOOLEAN NOT NULL DEFAULT false;
UPDATE housekeeping.arrivals SET at_desk = true WHERE expected_at IS NOT NULL;

-- Where the guest of a room went, where it was not home.
ALTER TABLE housekeeping.reservation_occupancy ADD COLUMN moved_to TEXT;

-- A room that no longer exists.
ALTER TABLE housekeeping.rooms ADD COLUMN archived_at TIMESTAMPTZ;

-- Whether somebody at work takes a break.
ALTER TABLE housekeeping.staff_shift_assignments
  ADD COLUMN break_started_at TIMESTAMPTZ,
  ADD COLUMN break_ended_at TIMESTAMPTZ;

-- How often the guest did not let anybody in, and before whom a task was brought.
ALTER TABLE housekeeping.housekeeping_tasks
  ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN escalated_at TIMESTAMPTZ,
  ADD COLUMN escalated_to JSONB,
  ADD COLUMN escalation_reason TEXT;

GRANT SELECT, INSERT, UPDATE ON housekeeping.room_blocks, housekeeping.maintenance_blocks, housekeeping.discrepancies,
  housekeeping.expected_stays TO melmastoon_app;
GRANT SELECT ON housekeeping.room_blocks_view TO melmastoon_app;
GRANT SELECT, DELETE ON housekeeping.room_blocks, housekeeping.maintenance_blocks, housekeeping.expected_stays TO melmastoon_operator;
