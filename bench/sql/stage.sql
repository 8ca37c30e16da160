-- What the measurements need beside the product's own tables. {T}: the ten time characters of every prepared ULID.
-- A lane is one worker with tasks and rooms of its own, so that no two workers wait for each other's room.
-- Lanes 0 to 31 are worked by the product over HTTP, lanes 32 to 63 by pgbench.
CREATE SCHEMA bench;
GRANT USAGE ON SCHEMA bench TO melmastoon_app;

CREATE TABLE bench.lanes (
  lane        INTEGER PRIMARY KEY,
  tenant      TEXT NOT NULL,
  property    TEXT NOT NULL,
  staff       TEXT NOT NULL,
  checklist   TEXT NOT NULL,
  turnover    TEXT NOT NULL,
  -- The next task to work on and the first that is not made yet; the same for rooms about to be left.
  next_task   BIGINT NOT NULL DEFAULT 0,
  made_tasks  BIGINT NOT NULL DEFAULT 0,
  next_room   BIGINT NOT NULL DEFAULT 0,
  made_rooms  BIGINT NOT NULL DEFAULT 0
);
GRANT SELECT ON bench.lanes TO melmastoon_app;

-- Which events were sent, in the transaction that sent them: its commit is where the clock starts.
CREATE TABLE bench.sent (event_id TEXT PRIMARY KEY);
GRANT INSERT ON bench.sent TO melmastoon_app;

CREATE FUNCTION bench.number(lane INTEGER, i BIGINT) RETURNS TEXT LANGUAGE SQL IMMUTABLE AS $$
  SELECT lpad((lane * 1000000000::BIGINT + i)::TEXT, 16, '0')
$$;

-- Rooms that are cleaned again and again (64 a lane), and rooms that a guest leaves (numbers from a million on).
CREATE FUNCTION bench.make_rooms(only_lane INTEGER, first BIGINT, past BIGINT) RETURNS VOID LANGUAGE SQL AS $$
  INSERT INTO housekeeping.rooms (tenant_id, property_id, room_id, number, floor, section, room_type)
  SELECT l.tenant, l.property, 'rom_{T}' || bench.number(l.lane, i), i::TEXT, (i % 8)::INTEGER, 'A', 'double'
  FROM bench.lanes l, generate_series(first, past - 1) AS i WHERE l.lane = only_lane;
  INSERT INTO housekeeping.room_status
    (tenant_id, property_id, room_id, status, last_flipped_by, last_cause)
  SELECT l.tenant, l.property, 'rom_{T}' || bench.number(l.lane, i), 'clean', '{"type":"system","id":"sys_first_sight"}',
         'manual_override'
  FROM bench.lanes l, generate_series(first, past - 1) AS i WHERE l.lane = only_lane;
$$;

-- Stay-over cleanings that are assigned: starting one makes the room `cleaning`, completing it makes the room `clean`.
CREATE FUNCTION bench.make_tasks(first_lane INTEGER, past_lane INTEGER, ahead BIGINT) RETURNS VOID LANGUAGE SQL AS $$
  INSERT INTO housekeeping.housekeeping_tasks
    (id, tenant_id, property_id, room_id, reservation_id, kind, status, priority, assignee_staff_id, checklist_id,
     checklist_version, locale_hint, source, version, created_at, updated_at, estimated_minutes)
  SELECT 'hkt_{T}' || bench.number(l.lane, i), l.tenant, l.property, 'rom_{T}' || bench.number(l.lane, i % 64),
         'rsv_{T}' || bench.number(l.lane, i), 'mid_stay_clean', 'assigned', 'normal', l.staff, l.checklist,
         1, 'ps-AF', 'manual', 2, '{CREATED}', now(), 25
  FROM bench.lanes l, generate_series(l.made_tasks, l.next_task + ahead - 1) AS i
  WHERE l.lane >= first_lane AND l.lane < past_lane
  ORDER BY i, l.lane;
  UPDATE bench.lanes l SET made_tasks = greatest(l.made_tasks, l.next_task + ahead)
  WHERE l.lane >= first_lane AND l.lane < past_lane;
$$;

-- After pgbench: which tasks are done, and which rooms were left. The lane is in the seven digits behind the time.
CREATE FUNCTION bench.count_done() RETURNS VOID LANGUAGE SQL AS $$
  WITH done AS (
    SELECT assignee_staff_id AS staff, count(*) AS tasks FROM housekeeping.housekeeping_tasks
    WHERE status <> 'assigned' AND kind = 'mid_stay_clean' GROUP BY 1
  ), gone AS (
    SELECT substr(room_id, 15, 7)::INTEGER AS lane, count(*) AS rooms FROM housekeeping.room_status
    WHERE status = 'dirty' AND length(room_id) = 30 GROUP BY 1
  )
  UPDATE bench.lanes l SET
    next_task = coalesce((SELECT tasks FROM done WHERE done.staff = l.staff), 0),
    next_room = coalesce((SELECT rooms FROM gone WHERE gone.lane = l.lane), 0)
  WHERE l.lane >= 32;
$$;
