SELECT starts, ends FROM reservation.room_blocks WHERE tenant_id = $1 AND room_id = $2 AND lifted_at IS NULL ORDER BY id
