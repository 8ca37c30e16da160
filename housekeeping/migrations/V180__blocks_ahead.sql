-- Out of order from a moment that is to come: the room is in use until then. Told so, and empty from the moment on at which the block begins.
ALTER TABLE housekeeping.room_blocks ADD COLUMN begins_at TIMESTAMPTZ;

-- What blocks a room is what has begun.
CREATE OR REPLACE VIEW housekeeping.room_blocks_view WITH (security_invoker = true) AS
  SELECT tenant_id, property_id, room_id, id, reason, owner, blocked_until, note, created_at, cleared_at
  FROM housekeeping.room_blocks WHERE begins_at IS NULL
  UNION ALL
  SELECT tenant_id, property_id, room_id, work_order_id, 'maintenance', 'maintenance', blocked_until, NULL, opened_at, cleared_at
  FROM housekeeping.maintenance_blocks WHERE blocking;

-- Blocks whose time is over, and those whose time has come.
CREATE OR REPLACE FUNCTION housekeeping.tenants_with_blocks_over(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT tenant_id FROM housekeeping.room_blocks WHERE cleared_at IS NULL AND blocked_until <= moment
  UNION
  SELECT tenant_id FROM housekeeping.room_blocks WHERE cleared_at IS NULL AND begins_at <= moment
$$;
