SELECT id, coalesce(number, id) AS number, room_type_id FROM reservation.rooms
WHERE tenant_id = $1 AND room_type_id = ANY ($2::TEXT[]) AND NOT archived ORDER BY id
