INSERT INTO reservation.rooms (tenant_id, id, property_id, room_type_id, number, floor, archived, version, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
