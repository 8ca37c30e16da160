SELECT property_id, room_id, item_id, expected_at, over_at, at_desk
FROM housekeeping.arrivals WHERE tenant_id = $1 AND reservation_id = $2
ORDER BY room_id
