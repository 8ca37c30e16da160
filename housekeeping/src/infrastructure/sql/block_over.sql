-- Rooms with a block whose time is over.
SELECT DISTINCT property_id, room_id FROM housekeeping.room_blocks
WHERE tenant_id = $1 AND cleared_at IS NULL AND blocked_until <= $2
ORDER BY property_id, room_id
LIMIT 1000
