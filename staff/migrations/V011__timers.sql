-- What happens by itself with time: who has something due, and what was told lately.

-- When a gap was told last and how many were missing then, by shift.
CREATE TABLE staff.alert_debounce (
  tenant_id TEXT NOT NULL,
  alert     TEXT NOT NULL,
  about     TEXT NOT NULL,
  missing   INTEGER NOT NULL,
  told_at   TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, alert, about)
);
ALTER TABLE staff.alert_debounce ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.alert_debounce FORCE ROW LEVEL SECURITY;
CREATE POLICY alert_debounce_tenant_isolation ON staff.alert_debounce
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
GRANT SELECT, INSERT, UPDATE ON staff.alert_debounce TO melmastoon_app;
CREATE POLICY alert_debounce_retention ON staff.alert_debounce TO melmastoon_operator
  USING (told_at < bus.purge_moment() - interval '30 days');
GRANT SELECT, DELETE ON staff.alert_debounce TO melmastoon_operator;

-- Houses that are closed.
CREATE TABLE staff.properties (
  tenant_id      TEXT NOT NULL,
  id             TEXT NOT NULL,
  deactivated_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
ALTER TABLE staff.properties ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.properties FORCE ROW LEVEL SECURITY;
CREATE POLICY properties_tenant_isolation ON staff.properties
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
GRANT SELECT, INSERT, UPDATE ON staff.properties TO melmastoon_app;

CREATE INDEX shifts_going_on_idx ON staff.shifts (ends_at) WHERE status IN ('scheduled', 'started');
CREATE INDEX clock_entries_in_idx ON staff.clock_entries (occurred_at) WHERE kind = 'in';
CREATE INDEX clock_entries_old_idx ON staff.clock_entries (tenant_id, occurred_at);
CREATE INDEX people_ending_idx ON staff.people (employment_ends_at)
  WHERE employment_ends_at IS NOT NULL AND employment_status <> 'terminated';

-- A tick asks once for the tenants that have something due and then works in each of them as the application. What answers is a
-- function of the owner's that gives tenants and nothing else, and that only the operator may ask.
CREATE POLICY shifts_due ON staff.shifts FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');
CREATE POLICY clock_entries_due ON staff.clock_entries FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');
CREATE POLICY people_due ON staff.people FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');
CREATE POLICY settings_due ON staff.settings FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');

-- Shifts that begin within a day or have not ended, and people who are in. The house's own settings say when something is due.
CREATE FUNCTION staff.tenants_with_time_to_watch(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT s.tenant_id FROM staff.shifts s
  WHERE s.status IN ('scheduled', 'started') AND s.starts_at <= moment + interval '1 day'
  UNION
  SELECT e.tenant_id FROM staff.clock_entries e
  WHERE e.kind = 'in' AND e.occurred_at BETWEEN moment - interval '8 days' AND moment
    AND NOT EXISTS (SELECT FROM staff.clock_entries o
                    WHERE o.tenant_id = e.tenant_id AND o.staff_id = e.staff_id AND o.kind = 'out' AND o.occurred_at >= e.occurred_at)
$$;

-- Closed houses in which shifts are still planned.
CREATE POLICY properties_due ON staff.properties FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');
CREATE FUNCTION staff.tenants_with_closed_houses() RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT p.tenant_id FROM staff.properties p
  WHERE EXISTS (SELECT FROM staff.shifts s
                WHERE s.tenant_id = p.tenant_id AND s.property_id = p.id AND s.status = 'scheduled' AND s.starts_at >= p.deactivated_at)
$$;

-- People whose last day is over somewhere on earth.
CREATE FUNCTION staff.tenants_with_ended_employments(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT p.tenant_id FROM staff.people p
  WHERE p.employment_ends_at IS NOT NULL AND p.employment_status <> 'terminated'
    AND p.employment_ends_at < ((moment + interval '14 hours') AT TIME ZONE 'UTC')::DATE
$$;

-- Punches that have been kept long enough, by the tenant's own number of days.
CREATE FUNCTION staff.tenants_with_old_time_records(moment TIMESTAMPTZ, usual_days INTEGER) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT t.tenant_id FROM (SELECT DISTINCT tenant_id FROM staff.people) t
  LEFT JOIN staff.settings s ON s.tenant_id = t.tenant_id AND s.property_id = ''
  WHERE EXISTS (
    SELECT FROM staff.clock_entries e WHERE e.tenant_id = t.tenant_id AND e.occurred_at
      < moment - make_interval(days => coalesce((s.settings ->> 'timeRecordsKeptDays')::INTEGER, usual_days)))
$$;

REVOKE ALL ON FUNCTION staff.tenants_with_time_to_watch(TIMESTAMPTZ), staff.tenants_with_closed_houses(),
  staff.tenants_with_ended_employments(TIMESTAMPTZ), staff.tenants_with_old_time_records(TIMESTAMPTZ, INTEGER) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION staff.tenants_with_time_to_watch(TIMESTAMPTZ), staff.tenants_with_closed_houses(),
  staff.tenants_with_ended_employments(TIMESTAMPTZ), staff.tenants_with_old_time_records(TIMESTAMPTZ, INTEGER)
  TO melmastoon_operator;

GRANT DELETE ON staff.clock_entries, staff.clock_entry_revisions TO melmastoon_app
