-- What is told again, late, or only in part, and whose word counts then.

-- Which items of a booking are off; NULL: all of it. And that they left early, which is told without any room: where it is heard before
-- they are known to be in, it is remembered until then.
ALTER TABLE housekeeping.expected_stays
  ADD COLUMN over_items TEXT[],
  ADD COLUMN left_at TIMESTAMPTZ,
  ADD COLUMN left_event TEXT;
ALTER POLICY es_retention ON housekeeping.expected_stays
  USING (greatest(over_at, arrives_at, left_at, clean_asked_at) < bus.purge_moment() - interval '90 days');

-- When property last spoke of the room that it took out of order.
ALTER TABLE housekeeping.room_blocks ADD COLUMN told_at TIMESTAMPTZ;

-- When property last said that there is such a room; an end from before that is not its end.
ALTER TABLE housekeeping.rooms ADD COLUMN introduced_at TIMESTAMPTZ;

-- With which version of the shift, and of the person, it was told.
ALTER TABLE housekeeping.shifts ADD COLUMN told_version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE housekeeping.staff_profiles
  ADD COLUMN languages_version BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN skills_version BIGINT NOT NULL DEFAULT 0;

-- Every beginning and end of a break that named the shift: rest is no time for work.
ALTER TABLE housekeeping.staff_shift_assignments
  ADD COLUMN told_break_starts TIMESTAMPTZ[] NOT NULL DEFAULT '{}',
  ADD COLUMN told_break_ends TIMESTAMPTZ[] NOT NULL DEFAULT '{}';

-- Houses whose waiting work is more than those who clean there can do; where nobody cleans, whoever oversees. Work for later than the last
-- of them stays is left to others.
CREATE OR REPLACE FUNCTION housekeeping.tenants_short_of_people(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  WITH at_work AS (
    SELECT tenant_id, property_id, coalesce(job, 'cleaning') AS job, shift_ends_at,
           least(capacity_minutes, greatest(extract(epoch FROM shift_ends_at - moment) / 60, 0)) AS minutes,
           bool_or(coalesce(job, 'cleaning') = 'cleaning') OVER (PARTITION BY tenant_id, property_id) AS somebody_cleans
    FROM housekeeping.staff_shift_assignments
    WHERE ended_at IS NULL AND clocked_in_at IS NOT NULL AND (clocked_out_at IS NULL OR clocked_out_at < clocked_in_at)
      AND shift_ends_at > moment
  ), present AS (
    SELECT tenant_id, property_id, sum(minutes) AS minutes, max(shift_ends_at) AS last_ends_at
    FROM at_work
    WHERE job = CASE WHEN somebody_cleans THEN 'cleaning' ELSE 'overseeing' END
    GROUP BY tenant_id, property_id
  )
  SELECT DISTINCT p.tenant_id FROM present p
  WHERE p.minutes * 1.2 < (SELECT coalesce(sum(t.estimated_minutes), 0) FROM housekeeping.housekeeping_tasks t
                           WHERE t.tenant_id = p.tenant_id AND t.property_id = p.property_id AND t.status IN ('pending', 'assigned')
                             AND (t.scheduled_for IS NULL OR t.scheduled_for < p.last_ends_at))
$$;

-- Urgent work that nobody has begun, since it is urgent and its time has come.
CREATE OR REPLACE FUNCTION housekeeping.tenants_with_neglected_work(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT t.tenant_id FROM housekeeping.housekeeping_tasks t
  WHERE t.priority = 'urgent' AND t.status IN ('pending', 'assigned')
    AND t.priority_bumped_at <= moment - interval '5 minutes'
    AND (t.scheduled_for IS NULL OR t.scheduled_for <= moment - interval '5 minutes')
    AND NOT EXISTS (SELECT FROM housekeeping.alert_debounce d
                    WHERE d.tenant_id = t.tenant_id AND d.alert = 'escalation' AND d.about = t.id AND d.told_at >= t.priority_bumped_at)
$$;

-- Guests who stay, in houses that have opted in, whose room was last cleaned a day ago. What was called off for them is settled for a day.
CREATE OR REPLACE FUNCTION housekeeping.tenants_with_stays_to_clean(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT s.tenant_id FROM housekeeping.tenant_settings s
  WHERE (s.settings ->> 'autoMidStay') = 'true'
    AND EXISTS (
      SELECT FROM housekeeping.reservation_occupancy o
      WHERE o.tenant_id = s.tenant_id AND o.departed_at IS NULL AND o.arrived_at <= moment - interval '24 hours'
        AND NOT EXISTS (
          SELECT FROM housekeeping.housekeeping_tasks t
          WHERE t.tenant_id = o.tenant_id AND t.room_id = o.room_id AND t.created_at > moment - interval '62 days'
            AND t.kind <> 'inspection'
            AND (t.status IN ('pending', 'assigned', 'in_progress', 'paused')
                 OR t.status = 'completed' AND t.completed_at > moment - interval '24 hours'
                 OR t.status = 'cancelled' AND t.kind = 'mid_stay_clean' AND t.reservation_id = o.reservation_id
                   AND t.updated_at > moment - interval '24 hours')))
$$;
