-- With what housekeeping told of it before anybody had described it.
INSERT INTO reservation.rooms (tenant_id, id, property_id, room_type_id, number, floor, archived, version, updated_at,
  housekeeping_status, housekeeping_flipped_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9,
  (SELECT w.housekeeping_status FROM reservation.room_words w WHERE w.tenant_id = $1 AND w.room_id = $2),
  (SELECT w.flipped_at FROM reservation.room_words w WHERE w.tenant_id = $1 AND w.room_id = $2))
