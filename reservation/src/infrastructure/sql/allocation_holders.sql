SELECT DISTINCT reservation_id FROM reservation.room_allocations
WHERE tenant_id = $1 AND room_id = $2 AND released_at IS NULL AND ends > $3::DATE AND starts < $4::DATE
ORDER BY reservation_id
