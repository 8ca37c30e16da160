-- Before a room comes into being: whoever tells of it meanwhile has told it before, or waits and finds it.
INSERT INTO reservation.room_words AS w (tenant_id, room_id) VALUES ($1, $2)
ON CONFLICT (tenant_id, room_id) DO UPDATE SET room_id = excluded.room_id
