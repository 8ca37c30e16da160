INSERT INTO reservation.room_blocks (tenant_id, id, room_id, starts, ends, reason, by_event, created_at, told_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
