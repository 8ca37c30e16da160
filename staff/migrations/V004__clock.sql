-- Punches of the clock: added to, never taken from. Spans of work are folded out of them and not kept.

CREATE TABLE staff.clock_entries (
  tenant_id       TEXT NOT NULL,
  id              TEXT NOT NULL,
  staff_id        TEXT NOT NULL,
  property_id     TEXT NOT NULL,
  shift_id        TEXT,
  kind            TEXT NOT NULL CHECK (kind IN ('in', 'out', 'break_started', 'break_ended')),
  occurred_at     TIMESTAMPTZ NOT NULL,
  recorded_at     TIMESTAMPTZ NOT NULL,
  source          TEXT NOT NULL,
  device_id       TEXT,
  client_punch_id TEXT,
  from_offline    BOOLEAN NOT NULL,
  needs_review    TEXT[] NOT NULL,
  reviewed_note   TEXT,
  reason          TEXT,
  version         INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, staff_id) REFERENCES staff.people (tenant_id, id),
  FOREIGN KEY (tenant_id, shift_id) REFERENCES staff.shifts (tenant_id, id)
);
-- A device's own number names a punch for ever.
CREATE UNIQUE INDEX clock_entries_device_idx ON staff.clock_entries (tenant_id, device_id, client_punch_id)
  WHERE client_punch_id IS NOT NULL;
CREATE INDEX clock_entries_staff_idx ON staff.clock_entries (tenant_id, staff_id, occurred_at);
CREATE INDEX clock_entries_shift_idx ON staff.clock_entries (tenant_id, shift_id) WHERE shift_id IS NOT NULL;

-- What a punch was before it was corrected, who corrected it and why.
CREATE TABLE staff.clock_entry_revisions (
  tenant_id   TEXT NOT NULL,
  entry_id    TEXT NOT NULL,
  version     INTEGER NOT NULL,
  occurred_at TIMESTAMPTZ NOT NULL,
  reason      TEXT NOT NULL,
  revised_by  JSONB NOT NULL,
  revised_at  TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, entry_id, version),
  FOREIGN KEY (tenant_id, entry_id) REFERENCES staff.clock_entries (tenant_id, id)
);

ALTER TABLE staff.clock_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.clock_entries FORCE ROW LEVEL SECURITY;
CREATE POLICY clock_entries_tenant_isolation ON staff.clock_entries
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
ALTER TABLE staff.clock_entry_revisions ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.clock_entry_revisions FORCE ROW LEVEL SECURITY;
CREATE POLICY clock_entry_revisions_tenant_isolation ON staff.clock_entry_revisions
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());

GRANT SELECT, INSERT, UPDATE ON staff.clock_entries TO melmastoon_app;
GRANT SELECT, INSERT ON staff.clock_entry_revisions TO melmastoon_app
