-- Leave: whole days, asked for and decided on.

CREATE TABLE staff.leave_requests (
  tenant_id     TEXT NOT NULL,
  id            TEXT NOT NULL,
  staff_id      TEXT NOT NULL,
  person_no     BIGINT NOT NULL,
  type          TEXT NOT NULL
    CHECK (type IN ('annual', 'sick', 'unpaid', 'parental', 'bereavement', 'religious', 'other')),
  first_day     DATE NOT NULL,
  last_day      DATE NOT NULL,
  reason        TEXT,
  status        TEXT NOT NULL CHECK (status IN ('requested', 'approved', 'rejected', 'cancelled')),
  requested_at  TIMESTAMPTZ NOT NULL,
  decided_by    TEXT,
  decided_at    TIMESTAMPTZ,
  decision_note TEXT,
  cancelled_by  TEXT,
  cancelled_at  TIMESTAMPTZ,
  version       INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK (first_day <= last_day),
  FOREIGN KEY (tenant_id, staff_id) REFERENCES staff.people (tenant_id, id),
  -- Nobody is away twice on one day: see V003 for the range of one.
  CONSTRAINT leave_requests_overlap EXCLUDE USING gist
    (int8range(person_no, person_no, '[]') WITH &&, daterange(first_day, last_day, '[]') WITH &&)
    WHERE (status IN ('requested', 'approved')) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX leave_requests_staff_idx ON staff.leave_requests (tenant_id, staff_id, last_day);
CREATE INDEX leave_requests_away_idx ON staff.leave_requests (tenant_id, last_day) WHERE status = 'approved';

ALTER TABLE staff.leave_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.leave_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY leave_requests_tenant_isolation ON staff.leave_requests
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());

GRANT SELECT, INSERT, UPDATE ON staff.leave_requests TO melmastoon_app
