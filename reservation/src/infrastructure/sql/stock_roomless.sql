SELECT DISTINCT room_type_id FROM reservation.room_allocations
WHERE tenant_id = $1 AND property_id = $2 AND released_at IS NULL AND room_no IS NULL
ORDER BY room_type_id
