-- Of a room that nobody has described yet: kept until it comes into being. Of two words the later counts.
INSERT INTO reservation.room_words AS w (tenant_id, room_id, housekeeping_status, flipped_at)
SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT FROM reservation.rooms r WHERE r.tenant_id = $1 AND r.id = $2)
ON CONFLICT (tenant_id, room_id) DO UPDATE SET housekeeping_status = excluded.housekeeping_status, flipped_at = excluded.flipped_at
WHERE w.flipped_at IS NULL OR w.flipped_at <= excluded.flipped_at
