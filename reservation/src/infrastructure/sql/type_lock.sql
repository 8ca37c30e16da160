-- Whoever writes rooms, allocations or blocks of a type holds its lock; several are locked in the order of their ids.
SELECT id, property_id, name, max_occupancy, base_rate::TEXT AS base_rate, overbooking, version
FROM reservation.room_types WHERE tenant_id = $1 AND id = ANY ($2::TEXT[]) ORDER BY id FOR NO KEY UPDATE
