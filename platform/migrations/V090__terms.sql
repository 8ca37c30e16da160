-- For how long published events are kept, by their class; and what each of the jobs that remove something did last.

-- How long an event stays in the log, by its subject: what the catalogue says, and ninety days at least, since integrators read back as
-- far as that. Regulated ones are for the archive (below). A test holds this against the catalogue.
CREATE FUNCTION bus.is_regulated(subject TEXT) RETURNS BOOLEAN LANGUAGE SQL IMMUTABLE AS $$
  SELECT subject IN (
    'melmastoon.reservation.held.v1', 'melmastoon.reservation.confirmed.v1', 'melmastoon.reservation.cancelled.v1',
    'melmastoon.reservation.modified.v1', 'melmastoon.reservation.dates_changed.v1', 'melmastoon.reservation.checked_in.v1',
    'melmastoon.reservation.checked_out.v1', 'melmastoon.reservation.no_show.v1', 'melmastoon.reservation.early_checkout.v1')
$$;
CREATE FUNCTION bus.log_term(subject TEXT) RETURNS INTERVAL LANGUAGE SQL IMMUTABLE AS $$
  SELECT CASE WHEN subject LIKE 'melmastoon.reservation.%' AND subject NOT LIKE 'melmastoon.reservation.quote.%'
    THEN interval '365 days' ELSE interval '90 days' END
$$;

DROP POLICY el_retention ON bus.event_log;
CREATE POLICY el_retention ON bus.event_log TO melmastoon_operator
  USING (NOT bus.is_regulated(subject) AND published_at < (SELECT bus.purge_moment()) - bus.log_term(subject));
-- What the law wants for seven years stays in the log for one and leaves for the archive then; without an archive it stays.
CREATE POLICY archive_after ON bus.event_log TO melmastoon_operator
  USING (bus.is_regulated(subject) AND published_at < (SELECT bus.purge_moment()) - interval '12 months')
  WITH CHECK (bus.is_regulated(subject) AND published_at < (SELECT bus.purge_moment()) - interval '12 months');
GRANT INSERT ON bus.event_log TO melmastoon_operator;

-- What was told to integrators, or given up, need not be known for longer than that. What waits stays.
CREATE POLICY wd_retention ON bus.webhook_deliveries TO melmastoon_operator
  USING (state <> 'waiting' AND coalesce(last_attempt_at, next_attempt_at) < (SELECT bus.purge_moment()) - interval '90 days');
GRANT SELECT, DELETE ON bus.webhook_deliveries TO melmastoon_operator;

-- As before, with the moment asked for once a statement: a policy's function is otherwise called for every row it looks at.
CREATE OR REPLACE FUNCTION bus.archive_after(schema TEXT, tab TEXT, since TEXT, span INTERVAL) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP POLICY IF EXISTS archive_after ON %I.%I', schema, tab);
  EXECUTE format('CREATE POLICY archive_after ON %I.%I TO melmastoon_operator
    USING (%I < (SELECT bus.purge_moment()) - %L::INTERVAL) WITH CHECK (%I < (SELECT bus.purge_moment()) - %L::INTERVAL)',
    schema, tab, since, span, since, span);
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON %I.%I TO melmastoon_operator', schema, tab);
END
$$;

-- What each job that removes something did when it ran last, table by table, for `doctor`.
CREATE TABLE bus.retention_runs (
  what          TEXT NOT NULL PRIMARY KEY,
  ran_at        TIMESTAMPTZ NOT NULL,
  removed       BIGINT NOT NULL,
  removed_ever  BIGINT NOT NULL
);
ALTER TABLE bus.retention_runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE bus.retention_runs FORCE ROW LEVEL SECURITY;
CREATE POLICY rr_operator ON bus.retention_runs TO melmastoon_operator USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON bus.retention_runs TO melmastoon_operator;

-- Changes nothing in a row and is another one after every change: where it lies and which transaction wrote it. A sum over it is far
-- less work than one over all values, and tells as surely whether anything was changed since.
CREATE FUNCTION bus.row_mark(place TID, written_by XID) RETURNS NUMERIC LANGUAGE SQL IMMUTABLE PARALLEL SAFE AS $$
  SELECT hash_record_extended(ROW(place, written_by), 0)::NUMERIC
$$;
