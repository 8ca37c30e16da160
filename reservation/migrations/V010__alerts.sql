-- What somebody in the house has to look at: one open alert for each kind, reservation and room.

CREATE TABLE reservation.alerts (
  tenant_id         TEXT NOT NULL,
  id                TEXT NOT NULL,
  property_id       TEXT NOT NULL,
  kind              TEXT NOT NULL,
  reservation_id    TEXT,
  room_id           TEXT,
  suggested_room_id TEXT,
  raised_at         TIMESTAMPTZ NOT NULL,
  resolved_at       TIMESTAMPTZ,
  resolved_by       JSONB,
  note              TEXT,
  version           INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK ((resolved_at IS NULL) = (resolved_by IS NULL)),
  CHECK (resolved_at IS NOT NULL OR note IS NULL)
);
CREATE UNIQUE INDEX alr_open_idx ON reservation.alerts (tenant_id, property_id, kind, coalesce(reservation_id, ''), coalesce(room_id, ''))
  WHERE resolved_at IS NULL;
CREATE INDEX alr_property_idx ON reservation.alerts (tenant_id, property_id, id);

ALTER TABLE reservation.alerts ENABLE ROW LEVEL SECURITY;
ALTER TABLE reservation.alerts FORCE ROW LEVEL SECURITY;
CREATE POLICY alerts_tenant_isolation ON reservation.alerts USING (tenant_id = reservation.current_tenant_id())
  WITH CHECK (tenant_id = reservation.current_tenant_id());
GRANT SELECT, INSERT, UPDATE ON reservation.alerts TO melmastoon_app;
