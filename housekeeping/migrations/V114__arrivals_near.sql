-- What is open in a room presses more as its next guest comes nearer, unless a person has spoken since.
ALTER TABLE housekeeping.housekeeping_tasks ADD COLUMN priority_lowered_at TIMESTAMPTZ;

CREATE POLICY arr_due ON housekeeping.arrivals FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');
-- When tomorrow becomes today is said by the clock of the house, which is asked later: here is who might have something to raise.
CREATE FUNCTION housekeeping.tenants_with_arrivals_near(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT a.tenant_id FROM housekeeping.arrivals a
  JOIN housekeeping.housekeeping_tasks t
    ON t.tenant_id = a.tenant_id AND t.property_id = a.property_id AND t.room_id = a.room_id
   AND t.status IN ('pending', 'assigned', 'in_progress', 'paused') AND t.kind <> 'mid_stay_clean'
  WHERE a.over_at IS NULL AND a.expected_at > moment - interval '1 day' AND a.expected_at < moment + interval '2 days'
    AND (t.priority = 'low'
         OR t.priority = 'normal' AND a.expected_at < moment + interval '1 day'
         OR t.priority = 'high' AND a.expected_at <= moment + interval '2 hours'
           AND greatest(t.created_at, t.priority_bumped_at, t.priority_lowered_at) < a.expected_at - interval '2 hours')
$$;
REVOKE ALL ON FUNCTION housekeeping.tenants_with_arrivals_near(TIMESTAMPTZ) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION housekeeping.tenants_with_arrivals_near(TIMESTAMPTZ) TO melmastoon_operator;
