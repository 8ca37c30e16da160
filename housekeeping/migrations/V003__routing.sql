-- Who should clean what: suggestions behind a human gate, and what the planner needs to know besides.

-- A plan until somebody decides on it, row by row. It is housekeeping's own paper: only what is approved becomes an event.
CREATE TABLE housekeeping.routing_suggestions (
  id            TEXT NOT NULL,
  tenant_id     TEXT NOT NULL,
  property_id   TEXT NOT NULL,
  -- NULL: all shifts of the property
  shift_id      TEXT,
  status        TEXT NOT NULL CHECK (status IN
    ('pending','approved','partly_approved','rejected','superseded','expired','nothing_to_do')),
  source        TEXT NOT NULL CHECK (source IN ('planner','planner_fallback','orchestrator','event','none')),
  -- why there is nothing in it
  note          TEXT CHECK (note IN ('manual_only','nobody_on_shift','nothing_to_plan','planner_unavailable')),
  model_version TEXT NOT NULL,
  generated_at  TIMESTAMPTZ NOT NULL,
  rows          JSONB NOT NULL,
  unassigned    JSONB NOT NULL DEFAULT '[]',
  moved         JSONB NOT NULL DEFAULT '[]',
  decided_by    JSONB,
  decided_at    TIMESTAMPTZ,
  version       INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, id)
);
-- At most one waits for a decision, of a shift or of the whole property.
CREATE UNIQUE INDEX sug_one_pending_idx ON housekeeping.routing_suggestions (tenant_id, property_id, (coalesce(shift_id, '')))
  WHERE status = 'pending';
CREATE INDEX sug_tenant_property_idx ON housekeeping.routing_suggestions (tenant_id, property_id, id);
CREATE INDEX sug_generated_idx ON housekeeping.routing_suggestions (generated_at);
ALTER TABLE housekeeping.routing_suggestions ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.routing_suggestions FORCE ROW LEVEL SECURITY;
CREATE POLICY sug_tenant_isolation ON housekeeping.routing_suggestions
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
CREATE POLICY sug_retention ON housekeeping.routing_suggestions TO melmastoon_operator
  USING (generated_at < now() - interval '90 days');

-- Guests who are expected in a room. The room is due when they are.
CREATE TABLE housekeeping.arrivals (
  tenant_id      TEXT NOT NULL,
  reservation_id TEXT NOT NULL,
  room_id        TEXT NOT NULL,
  property_id    TEXT NOT NULL,
  item_id        TEXT,
  expected_at    TIMESTAMPTZ,
  -- they came, or they will not come; an end that is told before its beginning leaves a row that is already over
  over_at        TIMESTAMPTZ,
  PRIMARY KEY (tenant_id, reservation_id, room_id)
);
CREATE INDEX arr_tenant_expected_idx ON housekeeping.arrivals (tenant_id, property_id, room_id) WHERE over_at IS NULL;
CREATE INDEX arr_over_idx ON housekeeping.arrivals (over_at) WHERE over_at IS NOT NULL;
ALTER TABLE housekeeping.arrivals ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.arrivals FORCE ROW LEVEL SECURITY;
CREATE POLICY arr_tenant_isolation ON housekeeping.arrivals
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
CREATE POLICY arr_retention ON housekeeping.arrivals TO melmastoon_operator
  USING (over_at < now() - interval '90 days');

-- What somebody has done since the shift began: fairness counts it.
CREATE INDEX hkt_tenant_done_idx ON housekeeping.housekeeping_tasks (tenant_id, property_id, completed_at)
  WHERE status = 'completed';

GRANT SELECT, INSERT, UPDATE ON housekeeping.routing_suggestions, housekeeping.arrivals TO melmastoon_app;
GRANT SELECT, DELETE ON housekeeping.routing_suggestions, housekeeping.arrivals TO melmastoon_operator;
