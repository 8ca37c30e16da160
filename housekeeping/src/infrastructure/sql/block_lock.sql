-- Housekeeping's own blocks of a room, open ones and the one that is asked for; the caller holds the room's lock.
SELECT * FROM housekeeping.room_blocks
WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND (cleared_at IS NULL OR id = $4)
ORDER BY created_at, id
FOR UPDATE
