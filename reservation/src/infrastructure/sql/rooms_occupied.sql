SELECT room_id FROM reservation.room_allocations
WHERE tenant_id = $1 AND occupied AND room_id = ANY ($2::TEXT[]) AND reservation_id <> $3
ORDER BY room_id
