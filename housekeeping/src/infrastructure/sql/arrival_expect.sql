-- Guests at the desk. Who has come, or will not come, is not expected again by a late message.
INSERT INTO housekeeping.arrivals (tenant_id, property_id, reservation_id, room_id, item_id, expected_at, at_desk)
SELECT $1, $2, $3, e.room_id, e.item_id, $4, true
FROM unnest($5::TEXT[], $6::TEXT[]) AS e (room_id, item_id)
WHERE NOT EXISTS (SELECT FROM housekeeping.expected_stays s
                  WHERE s.tenant_id = $1 AND s.reservation_id = $3 AND s.over_at >= $4)
ON CONFLICT (tenant_id, reservation_id, room_id) DO UPDATE
SET expected_at = excluded.expected_at, item_id = excluded.item_id, at_desk = true
