-- What one shift tells the next, and who has read it.

CREATE TABLE staff.handoff_notes (
  tenant_id      TEXT NOT NULL,
  id             TEXT NOT NULL,
  property_id    TEXT NOT NULL,
  position_id    TEXT,
  from_staff_id  TEXT NOT NULL,
  from_shift_id  TEXT,
  body           TEXT NOT NULL,
  attachment_ids TEXT[] NOT NULL,
  created_at     TIMESTAMPTZ NOT NULL,
  version        INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, position_id) REFERENCES staff.positions (tenant_id, id),
  FOREIGN KEY (tenant_id, from_staff_id) REFERENCES staff.people (tenant_id, id),
  FOREIGN KEY (tenant_id, from_shift_id) REFERENCES staff.shifts (tenant_id, id)
);
CREATE INDEX handoff_notes_house_idx ON staff.handoff_notes (tenant_id, property_id, created_at);

CREATE TABLE staff.handoff_acks (
  tenant_id       TEXT NOT NULL,
  note_id         TEXT NOT NULL,
  staff_id        TEXT NOT NULL,
  acknowledged_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, note_id, staff_id),
  FOREIGN KEY (tenant_id, note_id) REFERENCES staff.handoff_notes (tenant_id, id),
  FOREIGN KEY (tenant_id, staff_id) REFERENCES staff.people (tenant_id, id)
);

ALTER TABLE staff.handoff_notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.handoff_notes FORCE ROW LEVEL SECURITY;
CREATE POLICY handoff_notes_tenant_isolation ON staff.handoff_notes
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
ALTER TABLE staff.handoff_acks ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.handoff_acks FORCE ROW LEVEL SECURITY;
CREATE POLICY handoff_acks_tenant_isolation ON staff.handoff_acks
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());

GRANT SELECT, INSERT, UPDATE ON staff.handoff_notes TO melmastoon_app;
GRANT SELECT, INSERT ON staff.handoff_acks TO melmastoon_app
