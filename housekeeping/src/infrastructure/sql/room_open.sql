-- Rooms never seen before begin as clean.
WITH known AS (
  INSERT INTO housekeeping.rooms (tenant_id, property_id, room_id, created_at)
  SELECT $1, $2, unnest($3::TEXT[]), $4
  ON CONFLICT DO NOTHING
)
INSERT INTO housekeeping.room_status
  (tenant_id, property_id, room_id, status, last_flipped_at, last_flipped_by, last_cause)
SELECT $1, $2, unnest($3), 'clean', $4, $5::JSONB, 'manual_override'
ON CONFLICT DO NOTHING
RETURNING room_id
