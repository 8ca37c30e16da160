-- Guests at the desk. Who has come, or will not come, is not expected again by a late message.
INSERT INTO housekeeping.arrivals (tenant_id, property_id, reservation_id, room_id, item_id, expected_at, at_desk)
SELECT $1, $2, $3, e.room_id, e.item_id, $4, true
FROM unnest($5::TEXT[], $6::TEXT[]) AS e (room_id, item_id)
ON CONFLICT (tenant_id, reservation_id, room_id) DO UPDATE
SET expected_at = excluded.expected_at, item_id = excluded.item_id, at_desk = true
