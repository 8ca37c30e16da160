-- Two people who want to change places ask each other, and then whoever leads them.

CREATE TABLE staff.swap_requests (
  tenant_id           TEXT NOT NULL,
  id                  TEXT NOT NULL,
  left_assignment_id  TEXT NOT NULL,
  right_assignment_id TEXT NOT NULL,
  left_shift_id       TEXT NOT NULL,
  right_shift_id      TEXT NOT NULL,
  left_staff_id       TEXT NOT NULL,
  right_staff_id      TEXT NOT NULL,
  left_property_id    TEXT NOT NULL,
  right_property_id   TEXT NOT NULL,
  note                TEXT,
  status              TEXT NOT NULL CHECK (status IN ('proposed', 'accepted', 'approved', 'declined', 'withdrawn')),
  decided_by          JSONB,
  created_at          TIMESTAMPTZ NOT NULL,
  updated_at          TIMESTAMPTZ NOT NULL,
  version             INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, left_assignment_id) REFERENCES staff.shift_assignments (tenant_id, id),
  FOREIGN KEY (tenant_id, right_assignment_id) REFERENCES staff.shift_assignments (tenant_id, id)
);
CREATE INDEX swap_requests_left_idx ON staff.swap_requests (tenant_id, left_staff_id);
CREATE INDEX swap_requests_right_idx ON staff.swap_requests (tenant_id, right_staff_id);

ALTER TABLE staff.swap_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.swap_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY swap_requests_tenant_isolation ON staff.swap_requests
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());

GRANT SELECT, INSERT, UPDATE ON staff.swap_requests TO melmastoon_app
