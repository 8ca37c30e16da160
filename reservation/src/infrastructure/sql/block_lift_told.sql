-- What was told later stays.
UPDATE reservation.room_blocks SET lifted_at = $4
WHERE tenant_id = $1 AND room_id = $2 AND by_event AND lifted_at IS NULL AND coalesce(told_at, created_at) <= $3
