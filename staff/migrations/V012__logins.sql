-- What is known of logins, so that what others tell may come in any order; and people of whom nothing is known any more.

CREATE TABLE staff.logins (
  tenant_id     TEXT NOT NULL,
  user_id       TEXT NOT NULL,
  registered_at TIMESTAMPTZ,
  member_at     TIMESTAMPTZ,
  removed_at    TIMESTAMPTZ,
  PRIMARY KEY (tenant_id, user_id)
);
ALTER TABLE staff.logins ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.logins FORCE ROW LEVEL SECURITY;
CREATE POLICY logins_tenant_isolation ON staff.logins
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
GRANT SELECT, INSERT, UPDATE ON staff.logins TO melmastoon_app;

ALTER TABLE staff.people ADD COLUMN erased_at TIMESTAMPTZ;
-- What is personal is taken out of the audit with the rest; who did what and when stays.
GRANT UPDATE (payload) ON staff.audit_events TO melmastoon_app;
GRANT UPDATE (reason) ON staff.clock_entry_revisions TO melmastoon_app
