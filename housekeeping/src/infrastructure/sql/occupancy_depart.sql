-- A check-out is final, and its last word counts: also where a move from before it said that they are elsewhere.
INSERT INTO housekeeping.reservation_occupancy (tenant_id, property_id, reservation_id, room_id, item_id, departed_at)
SELECT $1, $2, $3, e.room_id, e.item_id, $4
FROM unnest($5::TEXT[], $6::TEXT[]) AS e (room_id, item_id)
ON CONFLICT (tenant_id, reservation_id, room_id) DO UPDATE
SET departed_at = greatest(reservation_occupancy.departed_at, excluded.departed_at), moved_to = NULL
