-- The tables that every context has alike, for the schema {schema}: outbox, inbox, idempotency keys, audit, dead letters, with their
-- policies and grants. A context's first migration is this file; a test holds the tables of all contexts against each other.

CREATE FUNCTION {schema}.current_tenant_id() RETURNS TEXT LANGUAGE SQL STABLE AS $$
  -- After SET LOCAL and commit the setting is '' and not NULL.
  SELECT nullif(current_setting('app.tenant_id', true), '')
$$;

CREATE TABLE {schema}.outbox (
  id            BIGSERIAL PRIMARY KEY,
  event_id      TEXT NOT NULL UNIQUE,
  tenant_id     TEXT NOT NULL,
  subject       TEXT NOT NULL,
  payload       JSONB NOT NULL,
  envelope_meta JSONB NOT NULL,
  created_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
  published_at  TIMESTAMPTZ,
  ordering_key  TEXT NOT NULL,
  property_id   TEXT,
  attempts      INTEGER NOT NULL DEFAULT 0,
  last_error    TEXT
);
CREATE INDEX outbox_unpublished_idx ON {schema}.outbox (id) WHERE published_at IS NULL;
CREATE INDEX outbox_published_idx ON {schema}.outbox (published_at) WHERE published_at IS NOT NULL;
ALTER TABLE {schema}.outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE {schema}.outbox FORCE ROW LEVEL SECURITY;
CREATE POLICY ob_tenant_isolation ON {schema}.outbox
  USING (tenant_id = {schema}.current_tenant_id()) WITH CHECK (tenant_id = {schema}.current_tenant_id());
CREATE POLICY ob_relay ON {schema}.outbox TO melmastoon_relay USING (true) WITH CHECK (true);

CREATE TABLE {schema}.inbox (
  topic       TEXT NOT NULL,
  message_id  TEXT NOT NULL,
  tenant_id   TEXT NOT NULL,
  received_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  PRIMARY KEY (topic, message_id)
);
CREATE INDEX inbox_received_idx ON {schema}.inbox (received_at);
ALTER TABLE {schema}.inbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE {schema}.inbox FORCE ROW LEVEL SECURITY;
CREATE POLICY ib_tenant_isolation ON {schema}.inbox
  USING (tenant_id = {schema}.current_tenant_id()) WITH CHECK (tenant_id = {schema}.current_tenant_id());

CREATE TABLE {schema}.idempotency_keys (
  tenant_id     TEXT NOT NULL,
  route         TEXT NOT NULL,
  key           TEXT NOT NULL,
  response_hash TEXT NOT NULL,
  response      JSONB NOT NULL,
  status_code   INTEGER NOT NULL,
  created_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
  request_hash  TEXT NOT NULL,
  state         TEXT NOT NULL CHECK (state IN ('running','done')),
  PRIMARY KEY (tenant_id, route, key)
);
CREATE INDEX idempotency_created_idx ON {schema}.idempotency_keys (created_at);
ALTER TABLE {schema}.idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE {schema}.idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY ik_tenant_isolation ON {schema}.idempotency_keys
  USING (tenant_id = {schema}.current_tenant_id()) WITH CHECK (tenant_id = {schema}.current_tenant_id());

CREATE TABLE {schema}.audit_events (
  id             BIGSERIAL PRIMARY KEY,
  tenant_id      TEXT NOT NULL,
  aggregate_id   TEXT NOT NULL,
  aggregate_kind TEXT NOT NULL,
  event_id       TEXT NOT NULL,
  subject        TEXT NOT NULL,
  payload        JSONB NOT NULL,
  occurred_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
  actor          JSONB NOT NULL
);
CREATE INDEX audit_aggregate_idx ON {schema}.audit_events (tenant_id, aggregate_kind, aggregate_id, occurred_at DESC);
ALTER TABLE {schema}.audit_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE {schema}.audit_events FORCE ROW LEVEL SECURITY;
CREATE POLICY ae_tenant_isolation ON {schema}.audit_events
  USING (tenant_id = {schema}.current_tenant_id()) WITH CHECK (tenant_id = {schema}.current_tenant_id());

-- Messages that could not be applied, with the reason, until an operator replays or discards them.
CREATE TABLE {schema}.dead_letters (
  id          TEXT NOT NULL PRIMARY KEY,
  tenant_id   TEXT NOT NULL,
  event_id    TEXT,
  subject     TEXT NOT NULL,
  message     TEXT NOT NULL,
  code        TEXT NOT NULL,
  error       TEXT NOT NULL,
  pointer     TEXT,
  attempts    INTEGER NOT NULL DEFAULT 1,
  state       TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open','replayed','discarded')),
  failed_at   TIMESTAMPTZ NOT NULL,
  resolved_at TIMESTAMPTZ,
  resolved_by TEXT
);
CREATE UNIQUE INDEX dead_letters_open_idx ON {schema}.dead_letters (tenant_id, subject, event_id)
  WHERE state = 'open' AND event_id IS NOT NULL;
CREATE INDEX dead_letters_failed_idx ON {schema}.dead_letters (failed_at);
ALTER TABLE {schema}.dead_letters ENABLE ROW LEVEL SECURITY;
ALTER TABLE {schema}.dead_letters FORCE ROW LEVEL SECURITY;
CREATE POLICY de_tenant_isolation ON {schema}.dead_letters
  USING (tenant_id = {schema}.current_tenant_id()) WITH CHECK (tenant_id = {schema}.current_tenant_id());

GRANT USAGE ON SCHEMA {schema} TO melmastoon_app, melmastoon_relay, melmastoon_operator;
GRANT SELECT, INSERT ON {schema}.audit_events, {schema}.outbox, {schema}.inbox, {schema}.idempotency_keys TO melmastoon_app;
GRANT SELECT, INSERT, UPDATE ON {schema}.dead_letters TO melmastoon_app;
-- An expired key is removed by whoever uses it again.
GRANT DELETE ON {schema}.idempotency_keys TO melmastoon_app;
GRANT USAGE ON SEQUENCE {schema}.outbox_id_seq, {schema}.audit_events_id_seq TO melmastoon_app;
GRANT SELECT ON {schema}.outbox TO melmastoon_relay;
GRANT UPDATE (published_at, attempts, last_error) ON {schema}.outbox TO melmastoon_relay;
-- For how long they are kept, and the operator's policies.
SELECT bus.keep_for_a_time('{schema}', 30);
