-- Houses that the property service has told to be closed: nobody books them any more.

CREATE TABLE reservation.closed_houses (
  tenant_id   TEXT NOT NULL,
  property_id TEXT NOT NULL,
  closed_at   TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, property_id)
);
ALTER TABLE reservation.closed_houses ENABLE ROW LEVEL SECURITY;
ALTER TABLE reservation.closed_houses FORCE ROW LEVEL SECURITY;
CREATE POLICY closed_houses_tenant_isolation ON reservation.closed_houses
  USING (tenant_id = reservation.current_tenant_id()) WITH CHECK (tenant_id = reservation.current_tenant_id());
GRANT SELECT, INSERT ON reservation.closed_houses TO melmastoon_app;
