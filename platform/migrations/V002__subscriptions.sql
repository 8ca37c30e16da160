-- Who listens to what, so that any relay, of whichever release, delivers to all of them; and for how long things are kept,
-- by the moment that the purge names and not by the server's clock.

CREATE TABLE bus.subscriptions (
  subscription  TEXT NOT NULL,
  -- What is a context's own business never leaves it.
  subject       TEXT NOT NULL CHECK (subject NOT LIKE 'internal.%'),
  -- The last offset of the log when it was registered: everything behind it is delivered.
  began_after   BIGINT NOT NULL,
  registered_at TIMESTAMPTZ NOT NULL,
  registered_by TEXT NOT NULL,
  -- Set by a migration, for good: a process of an older release that starts again does not bring it back.
  retired_at    TIMESTAMPTZ,
  PRIMARY KEY (subscription, subject)
);
CREATE INDEX subscriptions_subject_idx ON bus.subscriptions (subject) WHERE retired_at IS NULL;

ALTER TABLE bus.subscriptions ENABLE ROW LEVEL SECURITY;
ALTER TABLE bus.subscriptions FORCE ROW LEVEL SECURITY;
CREATE POLICY sn_relay ON bus.subscriptions TO melmastoon_relay USING (true) WITH CHECK (true);
CREATE POLICY sn_owner ON bus.subscriptions TO melmastoon_owner USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON bus.subscriptions TO melmastoon_relay;

-- For a context's migration: `SELECT bus.retire('housekeeping', 'melmastoon.…')`. What still waits for it is dropped at the next start.
CREATE FUNCTION bus.retire(subscription TEXT, subject TEXT) RETURNS VOID LANGUAGE SQL AS $$
  INSERT INTO bus.subscriptions AS s (subscription, subject, began_after, registered_at, registered_by, retired_at)
  VALUES ($1, $2, 0, now(), 'migration', now())
  ON CONFLICT (subscription, subject) DO UPDATE SET retired_at = now()
$$;

-- The moment of a purge. Without one nothing is old: '' is what is left of SET LOCAL after its transaction.
CREATE FUNCTION bus.purge_moment() RETURNS TIMESTAMPTZ LANGUAGE SQL STABLE AS $$
  SELECT nullif(current_setting('app.now', true), '')::TIMESTAMPTZ
$$;

DROP POLICY el_retention ON bus.event_log;
CREATE POLICY el_retention ON bus.event_log TO melmastoon_operator
  USING (published_at < bus.purge_moment() - interval '90 days');

-- For how long the tables that every context has alike are kept. A context's migration calls it once its tables are there; it
-- may be called again. The operator sees, and so removes, nothing that is younger.
CREATE FUNCTION bus.keep_for_a_time(schema TEXT, dead_letter_days INTEGER) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  kept RECORD;
BEGIN
  FOR kept IN
    SELECT * FROM (VALUES
      ('ob_retention', 'outbox', 'published_at', interval '7 days'),
      ('ib_retention', 'inbox', 'received_at', interval '90 days'),
      ('ik_retention', 'idempotency_keys', 'created_at', interval '24 hours')) AS k (policy, tab, since, span)
  LOOP
    EXECUTE format('DROP POLICY IF EXISTS %I ON %I.%I', kept.policy, schema, kept.tab);
    EXECUTE format('CREATE POLICY %I ON %I.%I TO melmastoon_operator USING (%I < bus.purge_moment() - %L::INTERVAL)',
      kept.policy, schema, kept.tab, kept.since, kept.span);
    EXECUTE format('GRANT SELECT, DELETE ON %I.%I TO melmastoon_operator', schema, kept.tab);
  END LOOP;
  -- Dead letters are read and resolved at any age.
  EXECUTE format('DROP POLICY IF EXISTS de_operator ON %I.dead_letters', schema);
  EXECUTE format('DROP POLICY IF EXISTS de_operator_reads ON %I.dead_letters', schema);
  EXECUTE format('DROP POLICY IF EXISTS de_operator_resolves ON %I.dead_letters', schema);
  EXECUTE format('DROP POLICY IF EXISTS de_retention ON %I.dead_letters', schema);
  EXECUTE format('CREATE POLICY de_operator_reads ON %I.dead_letters FOR SELECT TO melmastoon_operator USING (true)', schema);
  EXECUTE format('CREATE POLICY de_operator_resolves ON %I.dead_letters FOR UPDATE TO melmastoon_operator USING (true) WITH CHECK (true)', schema);
  EXECUTE format('CREATE POLICY de_retention ON %I.dead_letters FOR DELETE TO melmastoon_operator
    USING (coalesce(resolved_at, failed_at) < bus.purge_moment() - make_interval(days => %s))', schema, dead_letter_days);
  EXECUTE format('GRANT SELECT, UPDATE, DELETE ON %I.dead_letters TO melmastoon_operator', schema);
END
$$;
