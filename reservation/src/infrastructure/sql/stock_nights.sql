SELECT room_type_id, night, overbooking, rate::TEXT AS rate FROM reservation.type_nights
WHERE tenant_id = $1 AND room_type_id = ANY ($2::TEXT[]) AND night >= $3 AND night < $4
