-- What people blocked, which no event lifts.
SELECT starts, ends FROM reservation.room_blocks WHERE tenant_id = $1 AND room_id = $2 AND lifted_at IS NULL AND NOT by_event ORDER BY id
