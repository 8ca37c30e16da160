-- A person put a reservation back where it was: what was told of it before that is over with.
ALTER TABLE housekeeping.expected_stays
  -- they had left, and stay after all; and when that was heard, so that the next departure has a turnover of its own
  ADD COLUMN came_back_at TIMESTAMPTZ,
  ADD COLUMN came_back_heard_at TIMESTAMPTZ,
  -- they had come, and are not in after all
  ADD COLUMN undone_at TIMESTAMPTZ,
  -- they were not to come, and come after all
  ADD COLUMN brought_back_at TIMESTAMPTZ;
ALTER POLICY es_retention ON housekeeping.expected_stays
  USING (greatest(over_at, arrives_at, left_at, clean_asked_at, came_back_at, undone_at, brought_back_at)
         < bus.purge_moment() - interval '90 days');

-- Urgent work that nobody has begun, since it is urgent and its time has come, and that no person has brought up since.
CREATE OR REPLACE FUNCTION housekeeping.tenants_with_neglected_work(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT t.tenant_id FROM housekeeping.housekeeping_tasks t
  WHERE t.priority = 'urgent' AND t.status IN ('pending', 'assigned')
    AND t.priority_bumped_at <= moment - interval '5 minutes'
    AND (t.scheduled_for IS NULL OR t.scheduled_for <= moment - interval '5 minutes')
    AND (t.escalated_at IS NULL OR t.escalated_at < t.priority_bumped_at)
    AND NOT EXISTS (SELECT FROM housekeeping.alert_debounce d
                    WHERE d.tenant_id = t.tenant_id AND d.alert = 'escalation' AND d.about = t.id AND d.told_at >= t.priority_bumped_at)
$$;

-- Two houses may have a room of the same name: guests who stay, in houses that have opted in, whose room was last cleaned a day ago. What was called off for them is settled for a day.
CREATE OR REPLACE FUNCTION housekeeping.tenants_with_stays_to_clean(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT s.tenant_id FROM housekeeping.tenant_settings s
  WHERE (s.settings ->> 'autoMidStay') = 'true'
    AND EXISTS (
      SELECT FROM housekeeping.reservation_occupancy o
      WHERE o.tenant_id = s.tenant_id AND o.departed_at IS NULL AND o.arrived_at <= moment - interval '24 hours'
        AND NOT EXISTS (
          SELECT FROM housekeeping.housekeeping_tasks t
          WHERE t.tenant_id = o.tenant_id AND t.property_id = o.property_id AND t.room_id = o.room_id AND t.created_at > moment - interval '62 days'
            AND t.kind <> 'inspection'
            AND (t.status IN ('pending', 'assigned', 'in_progress', 'paused')
                 OR t.status = 'completed' AND t.completed_at > moment - interval '24 hours'
                 OR t.status = 'cancelled' AND t.kind = 'mid_stay_clean' AND t.reservation_id = o.reservation_id
                   AND t.updated_at > moment - interval '24 hours')))
$$;
