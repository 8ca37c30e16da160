-- Where a guest is, as it was made out from everything that was told; whoever writes it holds the reservation's turn.
INSERT INTO housekeeping.reservation_occupancy
  (tenant_id, reservation_id, property_id, room_id, item_id, arrived_at, departed_at, moved_to)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant_id, reservation_id, room_id) DO UPDATE SET
  item_id = coalesce(excluded.item_id, reservation_occupancy.item_id), arrived_at = excluded.arrived_at,
  departed_at = excluded.departed_at, moved_to = excluded.moved_to
