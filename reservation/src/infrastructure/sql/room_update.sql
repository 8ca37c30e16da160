UPDATE reservation.rooms SET version = $4, room_type_id = $5, number = $6, floor = $7, archived = $8, updated_at = $9
WHERE tenant_id = $1 AND id = $2 AND version = $3
