-- Webhooks: where integrators want to be told, and what was told them. Deliveries come from the log, so nothing is told that was not
-- published, and nothing is told before.
CREATE TABLE bus.webhook_endpoints (
  id               TEXT NOT NULL PRIMARY KEY,
  tenant_id        TEXT NOT NULL,
  url              TEXT NOT NULL,
  description      TEXT,
  -- Empty: every subject.
  subjects         TEXT[] NOT NULL,
  state            TEXT NOT NULL CHECK (state IN ('active','paused')),
  paused_because   TEXT,
  key_now          TEXT NOT NULL,
  key_before       TEXT,
  key_before_until TIMESTAMPTZ,
  -- Up to this offset of the log its deliveries are written down.
  planned_up_to    BIGINT NOT NULL,
  -- Since when nothing succeeds.
  failing_since    TIMESTAMPTZ,
  version          INTEGER NOT NULL,
  created_at       TIMESTAMPTZ NOT NULL,
  updated_at       TIMESTAMPTZ NOT NULL,
  UNIQUE (tenant_id, id)
);
ALTER TABLE bus.webhook_endpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE bus.webhook_endpoints FORCE ROW LEVEL SECURITY;
CREATE POLICY we_tenant_isolation ON bus.webhook_endpoints TO melmastoon_app
  USING (tenant_id = bus.current_tenant_id()) WITH CHECK (tenant_id = bus.current_tenant_id());
CREATE POLICY we_relay ON bus.webhook_endpoints TO melmastoon_relay USING (true) WITH CHECK (true);

CREATE TABLE bus.webhook_deliveries (
  endpoint_id     TEXT NOT NULL,
  log_offset      BIGINT NOT NULL REFERENCES bus.event_log (log_offset) ON DELETE CASCADE,
  tenant_id       TEXT NOT NULL,
  event_id        TEXT NOT NULL,
  subject         TEXT NOT NULL,
  ordering_key    TEXT NOT NULL,
  state           TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting','delivered','given_up')),
  attempts        INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TIMESTAMPTZ NOT NULL,
  claimed_until   TIMESTAMPTZ,
  last_status     INTEGER,
  last_error      TEXT,
  last_attempt_at TIMESTAMPTZ,
  PRIMARY KEY (endpoint_id, log_offset),
  FOREIGN KEY (tenant_id, endpoint_id) REFERENCES bus.webhook_endpoints (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_waiting_idx ON bus.webhook_deliveries (next_attempt_at) WHERE state = 'waiting';
CREATE INDEX webhook_key_idx ON bus.webhook_deliveries (endpoint_id, ordering_key, log_offset) WHERE state = 'waiting';
CREATE INDEX webhook_log_idx ON bus.webhook_deliveries (log_offset);
ALTER TABLE bus.webhook_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE bus.webhook_deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY wd_tenant_isolation ON bus.webhook_deliveries TO melmastoon_app
  USING (tenant_id = bus.current_tenant_id()) WITH CHECK (tenant_id = bus.current_tenant_id());
CREATE POLICY wd_relay ON bus.webhook_deliveries TO melmastoon_relay USING (true) WITH CHECK (true);

GRANT SELECT, INSERT, UPDATE, DELETE ON bus.webhook_endpoints TO melmastoon_app;
GRANT SELECT, INSERT, UPDATE ON bus.webhook_deliveries TO melmastoon_app;
GRANT SELECT, UPDATE ON bus.webhook_endpoints TO melmastoon_relay;
GRANT SELECT, INSERT, UPDATE ON bus.webhook_deliveries TO melmastoon_relay;
