UPDATE reservation.room_blocks SET lifted_at = $3 WHERE tenant_id = $1 AND room_id = $2 AND by_event AND lifted_at IS NULL
