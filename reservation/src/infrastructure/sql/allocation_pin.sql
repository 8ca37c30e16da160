UPDATE reservation.room_allocations SET pinned = true, occupied = $3
WHERE tenant_id = $1 AND reservation_id = $2 AND released_at IS NULL
