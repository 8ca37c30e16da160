-- They came, perhaps into another room than the one that was meant for them.
WITH elsewhere AS (
  UPDATE housekeeping.arrivals SET over_at = $4
  WHERE tenant_id = $1 AND property_id = $2 AND reservation_id = $3 AND over_at IS NULL AND NOT room_id = ANY ($5)
)
INSERT INTO housekeeping.arrivals (tenant_id, property_id, reservation_id, room_id, item_id, over_at)
SELECT $1, $2, $3, e.room_id, e.item_id, $4
FROM unnest($5::TEXT[], $6::TEXT[]) AS e (room_id, item_id)
ON CONFLICT (tenant_id, reservation_id, room_id) DO UPDATE SET over_at = coalesce(arrivals.over_at, excluded.over_at)
