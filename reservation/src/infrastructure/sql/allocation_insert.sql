INSERT INTO reservation.room_allocations (tenant_id, id, property_id, reservation_id, item_id, room_type_id, room_id, room_no, nights, pinned)
VALUES ($1, $2, $3, $4, $5, $6, $7::TEXT, (SELECT r.room_no FROM reservation.rooms r WHERE r.tenant_id = $1 AND r.id = $7),
        daterange($8::DATE, $9::DATE), $10)
