-- What the people of a shift do, as the staff context tells of their position. NULL: nothing was told, and they clean.
ALTER TABLE housekeeping.shifts ADD COLUMN job TEXT CHECK (job IN ('cleaning','overseeing','other'));
ALTER TABLE housekeeping.staff_shift_assignments ADD COLUMN job TEXT CHECK (job IN ('cleaning','overseeing','other'));

-- Houses that wait for a plan and have somebody at work who could be given something: not the clerk at the desk.
CREATE OR REPLACE FUNCTION housekeeping.tenants_with_work_to_plan(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT r.tenant_id FROM housekeeping.planning_requests r
  WHERE r.planned < r.asked AND r.asked_at <= moment
    AND EXISTS (SELECT FROM housekeeping.staff_shift_assignments s
                WHERE s.tenant_id = r.tenant_id AND s.property_id = r.property_id AND s.ended_at IS NULL
                  AND s.job IS DISTINCT FROM 'other'
                  AND s.clocked_in_at IS NOT NULL AND (s.clocked_out_at IS NULL OR s.clocked_out_at < s.clocked_in_at))
$$;
