-- Who lies in a room, whatever it was sold as.
SELECT id, room_id, lower(nights) AS starts, upper(nights) AS ends FROM reservation.room_allocations
WHERE tenant_id = $1 AND room_id = $2 AND released_at IS NULL ORDER BY id
