INSERT INTO reservation.alerts (tenant_id, id, property_id, kind, reservation_id, room_id, suggested_room_id, raised_at, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
