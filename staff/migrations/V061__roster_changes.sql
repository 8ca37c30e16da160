-- A composed roster is kept while nothing that it was read from changes. What changes it is written down by the tables themselves, with
-- the transaction that did it: whatever writes, an event, a projection or somebody at the prompt, nobody can forget to.
CREATE TABLE staff.roster_changes (
  tenant_id  TEXT NOT NULL,
  -- which transaction: whether a roster has seen it says the snapshot that it was read from
  txid       XID8 NOT NULL DEFAULT pg_current_xact_id(),
  changed_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, txid)
);
ALTER TABLE staff.roster_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.roster_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY roster_changes_tenant_isolation ON staff.roster_changes
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
-- No roster is kept for longer than an hour.
CREATE POLICY roster_changes_retention ON staff.roster_changes TO melmastoon_operator
  USING (changed_at < bus.purge_moment() - interval '1 day');
GRANT SELECT, INSERT ON staff.roster_changes TO melmastoon_app;
GRANT SELECT, DELETE ON staff.roster_changes TO melmastoon_operator;

-- Once a statement, however many rows, and one row a transaction. Who writes without a tenant may have changed everybody's.
CREATE FUNCTION staff.note_roster_change() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  tenant TEXT := staff.current_tenant_id();
BEGIN
  IF tenant IS NULL THEN
    INSERT INTO staff.roster_changes (tenant_id) SELECT DISTINCT tenant_id FROM staff.people ON CONFLICT DO NOTHING;
  ELSE
    INSERT INTO staff.roster_changes (tenant_id) VALUES (tenant) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER roster_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON staff.people
  FOR EACH STATEMENT EXECUTE FUNCTION staff.note_roster_change();
CREATE TRIGGER roster_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON staff.positions
  FOR EACH STATEMENT EXECUTE FUNCTION staff.note_roster_change();
CREATE TRIGGER roster_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON staff.settings
  FOR EACH STATEMENT EXECUTE FUNCTION staff.note_roster_change();
CREATE TRIGGER roster_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON staff.shifts
  FOR EACH STATEMENT EXECUTE FUNCTION staff.note_roster_change();
CREATE TRIGGER roster_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON staff.shift_assignments
  FOR EACH STATEMENT EXECUTE FUNCTION staff.note_roster_change();
CREATE TRIGGER roster_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON staff.leave_requests
  FOR EACH STATEMENT EXECUTE FUNCTION staff.note_roster_change();
CREATE TRIGGER roster_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON staff.certifications
  FOR EACH STATEMENT EXECUTE FUNCTION staff.note_roster_change();
CREATE TRIGGER roster_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON staff.clock_entries
  FOR EACH STATEMENT EXECUTE FUNCTION staff.note_roster_change()
