-- A house whose open work should be planned again, because a shift ended or a task failed. One row a house, however often it is asked
-- for: `asked` counts the questions, `planned` how many of them a plan has answered.
CREATE TABLE housekeeping.planning_requests (
  tenant_id   TEXT NOT NULL,
  property_id TEXT NOT NULL,
  reason      TEXT NOT NULL CHECK (reason IN ('shift_ended','task_failed')),
  asked_at    TIMESTAMPTZ NOT NULL,
  asked       INTEGER NOT NULL DEFAULT 1,
  planned     INTEGER NOT NULL DEFAULT 0,
  planned_at  TIMESTAMPTZ,
  PRIMARY KEY (tenant_id, property_id)
);
CREATE INDEX pr_waiting_idx ON housekeeping.planning_requests (tenant_id, property_id) WHERE planned < asked;
ALTER TABLE housekeeping.planning_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.planning_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY pr_tenant_isolation ON housekeeping.planning_requests
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
CREATE POLICY pr_due ON housekeeping.planning_requests FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');
GRANT SELECT, INSERT, UPDATE ON housekeeping.planning_requests TO melmastoon_app;

-- Houses that wait for a plan and have somebody at work who could be given something.
CREATE FUNCTION housekeeping.tenants_with_work_to_plan(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT r.tenant_id FROM housekeeping.planning_requests r
  WHERE r.planned < r.asked AND r.asked_at <= moment
    AND EXISTS (SELECT FROM housekeeping.staff_shift_assignments s
                WHERE s.tenant_id = r.tenant_id AND s.property_id = r.property_id AND s.ended_at IS NULL
                  AND s.clocked_in_at IS NOT NULL AND (s.clocked_out_at IS NULL OR s.clocked_out_at < s.clocked_in_at))
$$;
REVOKE ALL ON FUNCTION housekeeping.tenants_with_work_to_plan(TIMESTAMPTZ) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION housekeeping.tenants_with_work_to_plan(TIMESTAMPTZ) TO melmastoon_operator;
