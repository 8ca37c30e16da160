-- A punch that names no shift is kept: the shift it belongs to may be told later. Which one that is, is made out anew whenever
-- something of the person is told, so the order does not matter.
CREATE TABLE housekeeping.loose_punches (
  tenant_id TEXT NOT NULL,
  staff_id  TEXT NOT NULL,
  kind      TEXT NOT NULL CHECK (kind IN ('in','out','break_start','break_end')),
  at        TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, staff_id, kind, at)
);
CREATE INDEX lp_at_idx ON housekeeping.loose_punches (at);
ALTER TABLE housekeeping.loose_punches ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.loose_punches FORCE ROW LEVEL SECURITY;
CREATE POLICY lp_tenant_isolation ON housekeeping.loose_punches
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
CREATE POLICY lp_retention ON housekeeping.loose_punches TO melmastoon_operator
  USING (at < bus.purge_moment() - interval '30 days');
GRANT SELECT, INSERT ON housekeeping.loose_punches TO melmastoon_app;
GRANT SELECT, DELETE ON housekeeping.loose_punches TO melmastoon_operator;

-- What punches that name the shift say. `clocked_in_at` and its like are these and the loose ones together.
ALTER TABLE housekeeping.staff_shift_assignments
  ADD COLUMN told_in_at TIMESTAMPTZ,
  ADD COLUMN told_out_at TIMESTAMPTZ,
  ADD COLUMN told_break_started_at TIMESTAMPTZ,
  ADD COLUMN told_break_ended_at TIMESTAMPTZ;
-- The owner, too, is held by the policies: what was told so far is carried over without them.
ALTER TABLE housekeeping.staff_shift_assignments NO FORCE ROW LEVEL SECURITY;
UPDATE housekeeping.staff_shift_assignments SET
  told_in_at = clocked_in_at, told_out_at = clocked_out_at,
  told_break_started_at = break_started_at, told_break_ended_at = break_ended_at;
ALTER TABLE housekeeping.staff_shift_assignments FORCE ROW LEVEL SECURITY;
