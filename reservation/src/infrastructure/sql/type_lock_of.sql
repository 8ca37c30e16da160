-- The types of the rooms that these reservations have, and those as which they were sold; one lock for each, in the order of their ids.
SELECT id, property_id, name, max_occupancy, base_rate::TEXT AS base_rate, overbooking, version
FROM reservation.room_types
WHERE tenant_id = $1 AND id IN (
  SELECT unnest(ARRAY[a.room_type_id, r.room_type_id])
  FROM reservation.room_allocations a LEFT JOIN reservation.rooms r ON r.tenant_id = a.tenant_id AND r.id = a.room_id
  WHERE a.tenant_id = $1 AND a.reservation_id = ANY ($2::TEXT[]) AND a.released_at IS NULL)
ORDER BY id FOR NO KEY UPDATE
