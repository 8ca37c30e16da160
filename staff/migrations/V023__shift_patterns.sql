-- Shifts that come again and again, and which day of which pattern a shift was made for.

CREATE TABLE staff.shift_patterns (
  tenant_id         TEXT NOT NULL,
  id                TEXT NOT NULL,
  property_id       TEXT NOT NULL,
  position_id       TEXT NOT NULL,
  name              TEXT NOT NULL,
  start_local       TEXT NOT NULL,
  end_local         TEXT NOT NULL,
  -- On these days of the week, or on these days of a cycle.
  days_of_week      TEXT[],
  cycle             JSONB,
  valid_from        DATE NOT NULL,
  valid_to          DATE,
  primary_headcount INTEGER NOT NULL CHECK (primary_headcount BETWEEN 1 AND 500),
  standby_headcount INTEGER NOT NULL CHECK (standby_headcount BETWEEN 0 AND 500),
  break_minutes     INTEGER CHECK (break_minutes BETWEEN 0 AND 1440),
  assignees         JSONB NOT NULL,
  active            BOOLEAN NOT NULL,
  version           INTEGER NOT NULL,
  created_at        TIMESTAMPTZ NOT NULL,
  updated_at        TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK ((days_of_week IS NULL) <> (cycle IS NULL)),
  FOREIGN KEY (tenant_id, position_id) REFERENCES staff.positions (tenant_id, id)
);
CREATE INDEX shift_patterns_house_idx ON staff.shift_patterns (tenant_id, property_id, id);

-- The day a shift was made for stays, wherever its window is moved: a pattern makes one shift for a day, ever.
ALTER TABLE staff.shifts ADD COLUMN pattern_id TEXT, ADD COLUMN pattern_date DATE,
  ADD CHECK ((pattern_id IS NULL) = (pattern_date IS NULL)),
  ADD FOREIGN KEY (tenant_id, pattern_id) REFERENCES staff.shift_patterns (tenant_id, id);
CREATE UNIQUE INDEX shifts_pattern_idx ON staff.shifts (tenant_id, pattern_id, pattern_date) WHERE pattern_id IS NOT NULL;

ALTER TABLE staff.shift_patterns ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.shift_patterns FORCE ROW LEVEL SECURITY;
CREATE POLICY shift_patterns_tenant_isolation ON staff.shift_patterns
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());

GRANT SELECT, INSERT, UPDATE ON staff.shift_patterns TO melmastoon_app;

CREATE POLICY shift_patterns_due ON staff.shift_patterns FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');

CREATE FUNCTION staff.tenants_with_patterns() RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT p.tenant_id FROM staff.shift_patterns p WHERE p.active
$$;
REVOKE ALL ON FUNCTION staff.tenants_with_patterns() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION staff.tenants_with_patterns() TO melmastoon_operator
