SELECT id, coalesce(number, id) AS number, room_type_id, housekeeping_status FROM reservation.rooms
WHERE tenant_id = $1 AND property_id = $2 AND NOT archived
ORDER BY length(coalesce(number, id)), coalesce(number, id), id
