SELECT w.housekeeping_status, w.flipped_at FROM reservation.room_words w
WHERE w.tenant_id = $1 AND w.room_id = $2 AND w.housekeeping_status IS NOT NULL
