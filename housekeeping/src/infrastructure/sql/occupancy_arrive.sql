-- A guest who is known to have left does not come back by a late message.
INSERT INTO housekeeping.reservation_occupancy (tenant_id, property_id, reservation_id, room_id, item_id, arrived_at)
SELECT $1, $2, $3, e.room_id, e.item_id, $4
FROM unnest($5::TEXT[], $6::TEXT[]) AS e (room_id, item_id)
ON CONFLICT (tenant_id, reservation_id, room_id) DO UPDATE
SET arrived_at = coalesce(reservation_occupancy.arrived_at, excluded.arrived_at), item_id = excluded.item_id
