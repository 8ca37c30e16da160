-- The ledger of the archive: which month of which table of whom lies where, and how far it has come. The operator's alone.
CREATE TABLE bus.archives (
  context       TEXT NOT NULL,
  table_name    TEXT NOT NULL,
  tenant_id     TEXT NOT NULL,
  month         DATE NOT NULL,
  part          INTEGER NOT NULL,
  path          TEXT NOT NULL,
  rows          BIGINT NOT NULL,
  bytes         BIGINT NOT NULL,
  -- of the file, and of the values in it
  sha256        TEXT NOT NULL,
  values_sha256 TEXT NOT NULL,
  -- over the rows as they were in the database: rows that are removed must still have it
  row_sum       NUMERIC NOT NULL,
  state         TEXT NOT NULL CHECK (state IN ('written','proven','removed')),
  written_at    TIMESTAMPTZ NOT NULL,
  proven_at     TIMESTAMPTZ,
  removed_at    TIMESTAMPTZ,
  -- brought back: stays in the database until then
  held_until    TIMESTAMPTZ,
  PRIMARY KEY (context, table_name, tenant_id, month, part)
);
ALTER TABLE bus.archives ENABLE ROW LEVEL SECURITY;
ALTER TABLE bus.archives FORCE ROW LEVEL SECURITY;
CREATE POLICY ar_operator ON bus.archives TO melmastoon_operator USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON bus.archives TO melmastoon_operator;

-- Gives the operator the rows of a table whose time is over by the moment that the archive names: to copy, to remove once they
-- are proven, to bring back. A context's migration calls it for each of its tables.
CREATE FUNCTION bus.archive_after(schema TEXT, tab TEXT, since TEXT, span INTERVAL) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP POLICY IF EXISTS archive_after ON %I.%I', schema, tab);
  EXECUTE format('CREATE POLICY archive_after ON %I.%I TO melmastoon_operator
    USING (%I < bus.purge_moment() - %L::INTERVAL) WITH CHECK (%I < bus.purge_moment() - %L::INTERVAL)',
    schema, tab, since, span, since, span);
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON %I.%I TO melmastoon_operator', schema, tab);
END
$$;
