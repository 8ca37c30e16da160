-- What people have learnt and can show a paper for.

CREATE TABLE staff.certifications (
  tenant_id  TEXT NOT NULL,
  id         TEXT NOT NULL,
  staff_id   TEXT NOT NULL,
  type       TEXT NOT NULL,
  issued_at  DATE NOT NULL,
  expires_at DATE,
  number     TEXT,
  status     TEXT NOT NULL CHECK (status IN ('valid', 'expired', 'superseded', 'revoked')),
  added_at   TIMESTAMPTZ NOT NULL,
  updated_at TIMESTAMPTZ NOT NULL,
  version    INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK (expires_at IS NULL OR expires_at > issued_at),
  FOREIGN KEY (tenant_id, staff_id) REFERENCES staff.people (tenant_id, id)
);
CREATE INDEX certifications_staff_idx ON staff.certifications (tenant_id, staff_id, type);
CREATE INDEX certifications_running_out_idx ON staff.certifications (expires_at) WHERE status = 'valid';

ALTER TABLE staff.certifications ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.certifications FORCE ROW LEVEL SECURITY;
CREATE POLICY certifications_tenant_isolation ON staff.certifications
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());

GRANT SELECT, INSERT, UPDATE ON staff.certifications TO melmastoon_app;

-- Which tenants have something due: only their ids, and only for the operator's role.
CREATE POLICY certifications_due ON staff.certifications FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');

-- By the earliest clock on earth; whether it is that day for the tenant, the tenant's own unit of work decides.
CREATE FUNCTION staff.tenants_with_certificates_run_out(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT c.tenant_id FROM staff.certifications c
  WHERE c.status = 'valid' AND c.expires_at <= ((moment AT TIME ZONE 'UTC') + interval '14 hours')::DATE
$$;
REVOKE ALL ON FUNCTION staff.tenants_with_certificates_run_out(TIMESTAMPTZ) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION staff.tenants_with_certificates_run_out(TIMESTAMPTZ) TO melmastoon_operator
