-- The embedded bus: what every context has published, in one order, and who still has to hear of it.
-- `event_log` is also the integrators' feed. Only the relay writes it, one relay at a time, so offsets
-- become visible in the order in which they are given out and a reader never skips a late one.

CREATE FUNCTION bus.current_tenant_id() RETURNS TEXT LANGUAGE SQL STABLE AS $$
  -- After SET LOCAL and commit the setting is '' and not NULL.
  SELECT nullif(current_setting('app.tenant_id', true), '')
$$;

CREATE TABLE bus.event_log (
  log_offset   BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id     TEXT NOT NULL UNIQUE,
  tenant_id    TEXT NOT NULL,
  property_id  TEXT,
  subject      TEXT NOT NULL,
  ordering_key TEXT NOT NULL,
  envelope     JSONB NOT NULL,
  published_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX event_log_tenant_idx ON bus.event_log (tenant_id, log_offset);
CREATE INDEX event_log_published_idx ON bus.event_log (published_at);

ALTER TABLE bus.event_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE bus.event_log FORCE ROW LEVEL SECURITY;
CREATE POLICY el_tenant_isolation ON bus.event_log FOR SELECT TO melmastoon_app
  USING (tenant_id = bus.current_tenant_id());
CREATE POLICY el_relay ON bus.event_log TO melmastoon_relay USING (true) WITH CHECK (true);
CREATE POLICY el_retention ON bus.event_log TO melmastoon_operator
  USING (published_at < now() - interval '90 days');

-- One row for each subscription that has not handled an event yet. The oldest row of an ordering key goes
-- first; the rows behind it wait, so a retry cannot overtake.
CREATE TABLE bus.deliveries (
  subscription    TEXT NOT NULL,
  log_offset      BIGINT NOT NULL REFERENCES bus.event_log (log_offset) ON DELETE CASCADE,
  tenant_id       TEXT NOT NULL,
  ordering_key    TEXT NOT NULL,
  attempts        INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TIMESTAMPTZ NOT NULL,
  claimed_until   TIMESTAMPTZ,
  last_error      TEXT,
  PRIMARY KEY (subscription, log_offset)
);
CREATE INDEX deliveries_key_idx ON bus.deliveries (subscription, ordering_key, log_offset);

ALTER TABLE bus.deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE bus.deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY dl_relay ON bus.deliveries TO melmastoon_relay USING (true) WITH CHECK (true);

GRANT USAGE ON SCHEMA bus TO melmastoon_app, melmastoon_relay, melmastoon_operator;
GRANT SELECT ON bus.event_log TO melmastoon_app;
GRANT SELECT, INSERT ON bus.event_log TO melmastoon_relay;
GRANT SELECT, DELETE ON bus.event_log TO melmastoon_operator;
GRANT SELECT, INSERT, UPDATE, DELETE ON bus.deliveries TO melmastoon_relay;
