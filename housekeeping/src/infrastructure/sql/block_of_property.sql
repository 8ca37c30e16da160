-- Everything that blocks a room of the property now.
SELECT room_id, id, reason, owner, blocked_until, note FROM housekeeping.room_blocks_view
WHERE tenant_id = $1 AND property_id = $2 AND cleared_at IS NULL
ORDER BY room_id, created_at, id
LIMIT 5000
