INSERT INTO reservation.room_words AS w (tenant_id, room_id, closed_at, opened_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, room_id) DO UPDATE
SET closed_at = greatest(w.closed_at, excluded.closed_at), opened_at = greatest(w.opened_at, excluded.opened_at)
