-- What people blocked, which no event lifts, and what was told later than a moment.
SELECT starts, ends FROM reservation.room_blocks
WHERE tenant_id = $1 AND room_id = $2 AND lifted_at IS NULL AND (NOT by_event OR coalesce(told_at, created_at) > $3) ORDER BY id
