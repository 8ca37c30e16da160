-- PINs: what is kept of them, who tried, from where one was taken, and which tokens are void.

ALTER TABLE staff.people ADD COLUMN pin_set BOOLEAN NOT NULL DEFAULT false;

-- Apart from the people, so that nothing that shows a person can show it.
CREATE TABLE staff.pins (
  tenant_id TEXT NOT NULL,
  staff_id  TEXT NOT NULL,
  hash      TEXT NOT NULL,
  set_at    TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, staff_id),
  FOREIGN KEY (tenant_id, staff_id) REFERENCES staff.people (tenant_id, id)
);

-- Failures in a time, by what they are counted for: a code at a source, a code, a source, the tenant.
CREATE TABLE staff.pin_attempts (
  tenant_id    TEXT NOT NULL,
  scope        TEXT NOT NULL,
  failures     INTEGER NOT NULL,
  most         INTEGER NOT NULL,
  span_seconds INTEGER NOT NULL,
  since        TIMESTAMPTZ NOT NULL,
  shut_until   TIMESTAMPTZ,
  PRIMARY KEY (tenant_id, scope)
);

-- Where a person's PIN was taken, and when last: such a place is not shut because of strangers elsewhere.
CREATE TABLE staff.pin_sources (
  tenant_id TEXT NOT NULL,
  source    TEXT NOT NULL,
  staff_id  TEXT NOT NULL,
  taken_at  TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, source, staff_id),
  FOREIGN KEY (tenant_id, staff_id) REFERENCES staff.people (tenant_id, id)
);

-- How often a person's tokens were made void. A token is good for the number it was given at.
CREATE TABLE staff.token_revocations (
  tenant_id  TEXT NOT NULL,
  staff_id   TEXT NOT NULL,
  generation INTEGER NOT NULL,
  revoked_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, staff_id),
  FOREIGN KEY (tenant_id, staff_id) REFERENCES staff.people (tenant_id, id)
);

ALTER TABLE staff.pins ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.pins FORCE ROW LEVEL SECURITY;
CREATE POLICY pins_tenant_isolation ON staff.pins
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
ALTER TABLE staff.pin_attempts ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.pin_attempts FORCE ROW LEVEL SECURITY;
CREATE POLICY pin_attempts_tenant_isolation ON staff.pin_attempts
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
ALTER TABLE staff.pin_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.pin_sources FORCE ROW LEVEL SECURITY;
CREATE POLICY pin_sources_tenant_isolation ON staff.pin_sources
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
ALTER TABLE staff.token_revocations ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.token_revocations FORCE ROW LEVEL SECURITY;
CREATE POLICY token_revocations_tenant_isolation ON staff.token_revocations
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());

GRANT SELECT, INSERT, UPDATE, DELETE ON staff.pins, staff.pin_attempts, staff.pin_sources TO melmastoon_app;
GRANT SELECT, INSERT, UPDATE ON staff.token_revocations TO melmastoon_app;

-- Addresses are personal: what no longer decides anything goes.
CREATE POLICY pin_attempts_retention ON staff.pin_attempts TO melmastoon_operator
  USING (coalesce(shut_until, since + make_interval(secs => span_seconds)) < bus.purge_moment());
CREATE POLICY pin_sources_retention ON staff.pin_sources TO melmastoon_operator
  USING (taken_at < bus.purge_moment() - interval '30 days');
GRANT SELECT, DELETE ON staff.pin_attempts, staff.pin_sources TO melmastoon_operator
