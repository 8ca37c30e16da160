SELECT DISTINCT reservation_id FROM reservation.room_allocations
WHERE tenant_id = $1 AND room_id = $2 AND released_at IS NULL AND ends > greatest($3::DATE, '-infinity') AND starts < least($4::DATE, 'infinity')
ORDER BY reservation_id
