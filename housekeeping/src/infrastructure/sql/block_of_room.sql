SELECT room_id, id, reason, owner, blocked_until, note FROM housekeeping.room_blocks_view
WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND cleared_at IS NULL
ORDER BY created_at, id
LIMIT 100
