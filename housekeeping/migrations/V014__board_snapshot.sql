-- 4.2 the board as it was composed last, one row a house. An ordinary table, since a materialised view would show every tenant's; not
-- in the write-ahead log, since after a crash the next who looks composes it anew.
CREATE UNLOGGED TABLE housekeeping.board_snapshot_mat (
  tenant_id    TEXT NOT NULL,
  property_id  TEXT NOT NULL,
  etag         TEXT NOT NULL,
  document     TEXT NOT NULL,
  -- what the database had committed when the board was read
  seen         PG_SNAPSHOT NOT NULL,
  generated_at TIMESTAMPTZ NOT NULL,
  -- until when it says the same if nobody does anything: a quarter past, a task is late
  steady_until TIMESTAMPTZ NOT NULL,
  -- when somebody last had it composed
  asked_at     TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, property_id)
);
-- It is written more often than it is worth to be pressed small.
ALTER TABLE housekeeping.board_snapshot_mat ALTER COLUMN document SET STORAGE EXTERNAL;
CREATE INDEX bs_asked_idx ON housekeeping.board_snapshot_mat (asked_at);
ALTER TABLE housekeeping.board_snapshot_mat ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.board_snapshot_mat FORCE ROW LEVEL SECURITY;
CREATE POLICY bs_tenant_isolation ON housekeeping.board_snapshot_mat
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
CREATE POLICY bs_retention ON housekeeping.board_snapshot_mat TO melmastoon_operator
  USING (asked_at < bus.purge_moment() - interval '1 day');
CREATE POLICY bs_due ON housekeeping.board_snapshot_mat FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');
GRANT SELECT, INSERT, UPDATE ON housekeeping.board_snapshot_mat TO melmastoon_app;
GRANT SELECT, DELETE ON housekeeping.board_snapshot_mat TO melmastoon_operator;

-- Every change of a board owes a row to the outbox, an event or a touch. Which transaction wrote it says whether a snapshot has seen it:
-- ids are given out before a commit and cannot.
ALTER TABLE housekeeping.outbox ADD COLUMN txid XID8;
ALTER TABLE housekeeping.outbox ALTER COLUMN txid SET DEFAULT pg_current_xact_id();
CREATE INDEX outbox_board_idx ON housekeeping.outbox (tenant_id, property_id, txid);

-- Boards that somebody looks at and that were composed a minute ago.
CREATE FUNCTION housekeeping.tenants_with_boards_to_compose(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT tenant_id FROM housekeeping.board_snapshot_mat
  WHERE asked_at > moment - interval '15 minutes' AND generated_at <= moment - interval '1 minute'
$$;
REVOKE ALL ON FUNCTION housekeeping.tenants_with_boards_to_compose(TIMESTAMPTZ) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION housekeeping.tenants_with_boards_to_compose(TIMESTAMPTZ) TO melmastoon_operator;
