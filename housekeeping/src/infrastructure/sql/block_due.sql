-- Rooms with a block whose time has come, or is over.
SELECT property_id, room_id FROM (
  SELECT property_id, room_id FROM housekeeping.room_blocks WHERE tenant_id = $1 AND cleared_at IS NULL AND blocked_until <= $2
  UNION
  SELECT property_id, room_id FROM housekeeping.room_blocks WHERE tenant_id = $1 AND cleared_at IS NULL AND begins_at <= $2) due
ORDER BY property_id, room_id
LIMIT 1000
