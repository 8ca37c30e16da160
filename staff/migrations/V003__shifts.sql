-- Shifts, and who has a place on them.

CREATE TABLE staff.shifts (
  tenant_id         TEXT NOT NULL,
  id                TEXT NOT NULL,
  property_id       TEXT NOT NULL,
  position_id       TEXT NOT NULL,
  local_date        DATE NOT NULL,
  start_local       TEXT NOT NULL,
  end_local         TEXT NOT NULL,
  tz                TEXT NOT NULL,
  starts_at         TIMESTAMPTZ NOT NULL,
  ends_at           TIMESTAMPTZ NOT NULL,
  primary_headcount INTEGER NOT NULL CHECK (primary_headcount BETWEEN 1 AND 500),
  standby_headcount INTEGER NOT NULL CHECK (standby_headcount BETWEEN 0 AND 500),
  break_minutes     INTEGER CHECK (break_minutes BETWEEN 0 AND 1440),
  note              TEXT,
  status            TEXT NOT NULL CHECK (status IN ('scheduled', 'started', 'ended', 'cancelled')),
  first_clock_in_by TEXT,
  first_clock_in_at TIMESTAMPTZ,
  ended_at          TIMESTAMPTZ,
  ended_reason      TEXT,
  last_clock_out_by TEXT,
  actual_minutes    INTEGER,
  rest_minutes      INTEGER,
  cancelled_at      TIMESTAMPTZ,
  cancel_reason     TEXT,
  version           INTEGER NOT NULL,
  created_at        TIMESTAMPTZ NOT NULL,
  updated_at        TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK (starts_at < ends_at),
  FOREIGN KEY (tenant_id, position_id) REFERENCES staff.positions (tenant_id, id)
);
CREATE INDEX shifts_window_idx ON staff.shifts (tenant_id, property_id, starts_at);

CREATE TABLE staff.shift_assignments (
  tenant_id               TEXT NOT NULL,
  id                      TEXT NOT NULL,
  shift_id                TEXT NOT NULL,
  staff_id                TEXT NOT NULL,
  person_no               BIGINT NOT NULL,
  -- The shift's, copied, for the constraint.
  starts_at               TIMESTAMPTZ NOT NULL,
  ends_at                 TIMESTAMPTZ NOT NULL,
  role                    TEXT NOT NULL CHECK (role IN ('primary', 'standby')),
  source                  TEXT NOT NULL,
  status                  TEXT NOT NULL CHECK (status IN ('active', 'unassigned', 'swapped', 'promoted', 'cancelled')),
  swapped_from            TEXT,
  assigned_at             TIMESTAMPTZ NOT NULL,
  version                 INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, shift_id) REFERENCES staff.shifts (tenant_id, id),
  FOREIGN KEY (tenant_id, staff_id) REFERENCES staff.people (tenant_id, id),
  -- Nobody is in two places at once. A number as a range of one stands for equality, so that no extension is needed; the
  -- person's number is unique across tenants. Deferred: two who change places overlap for a moment.
  CONSTRAINT shift_assignments_overlap EXCLUDE USING gist
    (int8range(person_no, person_no, '[]') WITH &&, tstzrange(starts_at, ends_at) WITH &&)
    WHERE (status = 'active') DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX shift_assignments_shift_idx ON staff.shift_assignments (tenant_id, shift_id);
CREATE INDEX shift_assignments_staff_idx ON staff.shift_assignments (tenant_id, staff_id, starts_at);

ALTER TABLE staff.shifts ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.shifts FORCE ROW LEVEL SECURITY;
CREATE POLICY shifts_tenant_isolation ON staff.shifts
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
ALTER TABLE staff.shift_assignments ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.shift_assignments FORCE ROW LEVEL SECURITY;
CREATE POLICY shift_assignments_tenant_isolation ON staff.shift_assignments
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());

GRANT SELECT, INSERT, UPDATE ON staff.shifts, staff.shift_assignments TO melmastoon_app
