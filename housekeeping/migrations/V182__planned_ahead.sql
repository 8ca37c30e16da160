-- Guests who stay, in houses that have opted in, whose room was last cleaned a day ago. What was called off for them is settled for a day. What is
-- planned for a later day than tomorrow keeps nobody from it, but for a clean of theirs that was put off.
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
                   AND (t.kind = 'mid_stay_clean' OR t.scheduled_for IS NULL OR t.scheduled_for < moment + interval '24 hours')
                 OR t.status = 'completed' AND t.completed_at > moment - interval '24 hours'
                 OR t.status = 'cancelled' AND t.kind = 'mid_stay_clean' AND t.reservation_id = o.reservation_id
                   AND t.updated_at > moment - interval '24 hours')))
$$;
