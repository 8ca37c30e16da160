-- Linen, lost and found, what was told lately, and what was learned: names, types and meanings of the first three are those of the
-- specification.

-- 3.6 linen in stock, one row a kind and house
CREATE TABLE housekeeping.linen_inventory (
  id            TEXT NOT NULL PRIMARY KEY,
  tenant_id     TEXT NOT NULL,
  property_id   TEXT NOT NULL,
  line          TEXT NOT NULL,
  on_hand       INTEGER NOT NULL DEFAULT 0 CHECK (on_hand >= 0),
  low_watermark INTEGER NOT NULL DEFAULT 0 CHECK (low_watermark >= 0),
  version       INTEGER NOT NULL DEFAULT 1,
  updated_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, property_id, line)
);
ALTER TABLE housekeeping.linen_inventory ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.linen_inventory FORCE ROW LEVEL SECURITY;
CREATE POLICY li_tenant_isolation ON housekeeping.linen_inventory
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- 3.7 every movement of linen, for good. What is on hand is the sum: returns and adjustments (signed) less issues.
CREATE TABLE housekeeping.linen_movements (
  id          BIGSERIAL PRIMARY KEY,
  tenant_id   TEXT NOT NULL,
  line_id     TEXT NOT NULL REFERENCES housekeeping.linen_inventory(id),
  task_id     TEXT,
  direction   TEXT NOT NULL CHECK (direction IN ('issue','return','adjust')),
  count       INTEGER NOT NULL,
  occurred_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  actor       JSONB NOT NULL
);
CREATE INDEX lm_line_idx ON housekeeping.linen_movements (tenant_id, line_id, occurred_at DESC);
ALTER TABLE housekeeping.linen_movements ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.linen_movements FORCE ROW LEVEL SECURITY;
CREATE POLICY lm_tenant_isolation ON housekeeping.linen_movements
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- 3.8 what guests leave behind
CREATE TABLE housekeeping.lost_and_found (
  id               TEXT NOT NULL PRIMARY KEY,
  tenant_id        TEXT NOT NULL,
  property_id      TEXT NOT NULL,
  room_id          TEXT NOT NULL,
  reservation_id   TEXT,
  description      TEXT NOT NULL,
  photo_media_ids  TEXT[],
  storage_location TEXT,
  finder_staff_id  TEXT NOT NULL,
  status           TEXT NOT NULL CHECK (status IN ('recorded','matched','disposed','returned')) DEFAULT 'recorded',
  matched_at       TIMESTAMPTZ,
  matched_by_staff TEXT,
  claimant_name    TEXT,
  claimant_phone   TEXT,
  disposed_at      TIMESTAMPTZ,
  dispose_method   TEXT,
  recorded_at      TIMESTAMPTZ NOT NULL DEFAULT now(),
  version          INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX laf_tenant_status_idx ON housekeeping.lost_and_found (tenant_id, property_id, status, recorded_at DESC);
CREATE INDEX laf_reservation_idx ON housekeeping.lost_and_found (tenant_id, reservation_id) WHERE reservation_id IS NOT NULL;
-- added: what nobody has claimed, oldest first, over all tenants
CREATE INDEX laf_unclaimed_idx ON housekeeping.lost_and_found (recorded_at) WHERE status = 'recorded';
ALTER TABLE housekeeping.lost_and_found ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.lost_and_found FORCE ROW LEVEL SECURITY;
CREATE POLICY laf_tenant_isolation ON housekeeping.lost_and_found
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- Added tables ------------------------------------------------------------------------------------------------

-- When something was told last, so that it is not told again too soon: `linen_low` by line, `staffing_gap` by shift,
-- `escalation` by task.
CREATE TABLE housekeeping.alert_debounce (
  tenant_id TEXT NOT NULL,
  alert     TEXT NOT NULL CHECK (alert IN ('linen_low','staffing_gap','escalation')),
  about     TEXT NOT NULL,
  told_at   TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, alert, about)
);
CREATE INDEX ad_told_idx ON housekeeping.alert_debounce (told_at);
ALTER TABLE housekeeping.alert_debounce ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.alert_debounce FORCE ROW LEVEL SECURITY;
CREATE POLICY ad_tenant_isolation ON housekeeping.alert_debounce
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
-- No alert is held back for longer than a month.
CREATE POLICY ad_retention ON housekeeping.alert_debounce TO melmastoon_operator
  USING (told_at < bus.purge_moment() - interval '90 days');

-- How long work of a kind in a type of room really takes, and how long a cleaned room waits for its inspection
-- (`inspection_wait`): the last fifty, newest first, and their median once there are twenty.
CREATE TABLE housekeeping.learned_minutes (
  tenant_id   TEXT NOT NULL,
  property_id TEXT NOT NULL,
  kind        TEXT NOT NULL,
  -- '' where the type of a room is not known
  room_type   TEXT NOT NULL,
  latest      INTEGER[] NOT NULL,
  minutes     INTEGER,
  PRIMARY KEY (tenant_id, property_id, kind, room_type)
);
ALTER TABLE housekeeping.learned_minutes ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.learned_minutes FORCE ROW LEVEL SECURITY;
CREATE POLICY le_tenant_isolation ON housekeeping.learned_minutes
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());

-- The median of what was learned, once there is enough of it.
CREATE FUNCTION housekeeping.median_of(latest INTEGER[]) RETURNS INTEGER LANGUAGE SQL IMMUTABLE AS $$
  SELECT CASE WHEN cardinality(latest) >= 20 THEN
    (SELECT greatest(percentile_cont(0.5) WITHIN GROUP (ORDER BY one), 1)::INTEGER FROM unnest(latest) AS one) END
$$;

GRANT SELECT, INSERT, UPDATE ON
  housekeeping.linen_inventory, housekeeping.lost_and_found, housekeeping.alert_debounce, housekeeping.learned_minutes
  TO melmastoon_app;
GRANT SELECT, INSERT ON housekeeping.linen_movements TO melmastoon_app;
GRANT USAGE ON SEQUENCE housekeeping.linen_movements_id_seq TO melmastoon_app;
GRANT SELECT, DELETE ON housekeeping.alert_debounce TO melmastoon_operator;

-- Who has something due ---------------------------------------------------------------------------------------
-- A tick asks once for the tenants that have something due and then works in each of them as the application. What answers is a
-- function of the owner's that gives tenants and nothing else, and that only the operator may ask. Inside it the user is the owner
-- while the session's role is still the operator: that, and no other session, is what these policies let see.

CREATE POLICY hkt_due ON housekeeping.housekeeping_tasks FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');
CREATE POLICY ssa_due ON housekeeping.staff_shift_assignments FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');
CREATE POLICY laf_due ON housekeeping.lost_and_found FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');
CREATE POLICY ro_due ON housekeeping.reservation_occupancy FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');
CREATE POLICY ts_due ON housekeeping.tenant_settings FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');
CREATE POLICY ad_due ON housekeeping.alert_debounce FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');

CREATE INDEX hkt_urgent_waiting_idx ON housekeeping.housekeeping_tasks (priority_bumped_at)
  WHERE priority = 'urgent' AND status IN ('pending', 'assigned');
CREATE INDEX ssa_present_idx ON housekeeping.staff_shift_assignments (shift_ends_at)
  WHERE ended_at IS NULL AND clocked_in_at IS NOT NULL;
CREATE INDEX ts_mid_stay_idx ON housekeeping.tenant_settings (tenant_id)
  WHERE (settings ->> 'autoMidStay') = 'true';

-- Urgent work that nobody has begun five minutes after it became urgent, and that nobody was told of since.
CREATE FUNCTION housekeeping.tenants_with_neglected_work(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT t.tenant_id FROM housekeeping.housekeeping_tasks t
  WHERE t.priority = 'urgent' AND t.status IN ('pending', 'assigned') AND t.priority_bumped_at <= moment - interval '5 minutes'
    AND NOT EXISTS (SELECT FROM housekeeping.alert_debounce d
                    WHERE d.tenant_id = t.tenant_id AND d.alert = 'escalation' AND d.about = t.id AND d.told_at >= t.priority_bumped_at)
$$;

-- Houses whose waiting work is more than the people who are there can do.
CREATE FUNCTION housekeeping.tenants_short_of_people(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  WITH present AS (
    SELECT tenant_id, property_id,
           sum(least(capacity_minutes, greatest(extract(epoch FROM shift_ends_at - moment) / 60, 0))) AS minutes
    FROM housekeeping.staff_shift_assignments
    WHERE ended_at IS NULL AND clocked_in_at IS NOT NULL AND (clocked_out_at IS NULL OR clocked_out_at < clocked_in_at)
      AND shift_ends_at > moment
    GROUP BY tenant_id, property_id
  )
  SELECT DISTINCT p.tenant_id FROM present p
  WHERE p.minutes * 1.2 < (SELECT coalesce(sum(t.estimated_minutes), 0) FROM housekeeping.housekeeping_tasks t
                           WHERE t.tenant_id = p.tenant_id AND t.property_id = p.property_id AND t.status IN ('pending', 'assigned'))
$$;

-- Found things whose time is over, by the tenant's own number of days.
CREATE FUNCTION housekeeping.tenants_with_unclaimed_things(moment TIMESTAMPTZ, usual_days INTEGER) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT l.tenant_id FROM housekeeping.lost_and_found l
  LEFT JOIN housekeeping.tenant_settings s USING (tenant_id)
  WHERE l.status = 'recorded' AND l.recorded_at <= moment - interval '1 day'
    AND l.recorded_at <= moment - make_interval(days => coalesce((s.settings ->> 'lostFoundRetentionDays')::INTEGER, usual_days))
$$;

-- Guests who stay, in houses that have opted in, whose room was last cleaned a day ago.
CREATE FUNCTION housekeeping.tenants_with_stays_to_clean(moment TIMESTAMPTZ) RETURNS SETOF TEXT
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
                 OR t.status = 'completed' AND t.completed_at > moment - interval '24 hours')))
$$;

REVOKE ALL ON FUNCTION housekeeping.tenants_with_neglected_work(TIMESTAMPTZ), housekeeping.tenants_short_of_people(TIMESTAMPTZ),
  housekeeping.tenants_with_unclaimed_things(TIMESTAMPTZ, INTEGER), housekeeping.tenants_with_stays_to_clean(TIMESTAMPTZ) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION housekeeping.tenants_with_neglected_work(TIMESTAMPTZ), housekeeping.tenants_short_of_people(TIMESTAMPTZ),
  housekeeping.tenants_with_unclaimed_things(TIMESTAMPTZ, INTEGER), housekeeping.tenants_with_stays_to_clean(TIMESTAMPTZ)
  TO melmastoon_operator;
