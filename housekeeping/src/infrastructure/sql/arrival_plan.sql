-- A room is meant for guests who are not here yet.
INSERT INTO housekeeping.arrivals (tenant_id, property_id, reservation_id, room_id, item_id, expected_at, at_desk)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (tenant_id, reservation_id, room_id) DO UPDATE
SET expected_at = excluded.expected_at, item_id = coalesce(excluded.item_id, arrivals.item_id), at_desk = excluded.at_desk, over_at = NULL
