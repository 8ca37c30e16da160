UPDATE reservation.room_allocations SET room_id = NULL, room_no = NULL, pinned = false
WHERE tenant_id = $1 AND id = ANY ($2::TEXT[])
