SELECT property_id, room_id, item_id, arrived_at, departed_at, moved_to
FROM housekeeping.reservation_occupancy WHERE tenant_id = $1 AND reservation_id = $2
ORDER BY room_id
