-- The figures of a day as they stood when somebody closed it.
CREATE TABLE reservation.day_closes (
  tenant_id   TEXT NOT NULL,
  property_id TEXT NOT NULL,
  day         DATE NOT NULL,
  figures     JSONB NOT NULL,
  closed_at   TIMESTAMPTZ NOT NULL,
  closed_by   JSONB NOT NULL,
  PRIMARY KEY (tenant_id, property_id, day)
);
ALTER TABLE reservation.day_closes ENABLE ROW LEVEL SECURITY;
ALTER TABLE reservation.day_closes FORCE ROW LEVEL SECURITY;
CREATE POLICY day_closes_tenant_isolation ON reservation.day_closes USING (tenant_id = reservation.current_tenant_id())
  WITH CHECK (tenant_id = reservation.current_tenant_id());
GRANT SELECT, INSERT ON reservation.day_closes TO melmastoon_app;
