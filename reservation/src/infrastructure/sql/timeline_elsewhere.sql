-- Who is to come where another service keeps the count: they have no room here before they stand at the desk. Nothing is read for a house of
-- which nobody ever said who counts. Holds are found by their timers.
WITH awaited AS (
  SELECT r.id FROM reservation.reservations r
  WHERE r.tenant_id = $1 AND r.property_id = $2 AND r.status = 'confirmed' AND r.starts < $4 AND r.ends > $3
  UNION ALL
  SELECT t.reservation_id FROM reservation.timers t WHERE t.tenant_id = $1 AND t.kind = 'hold_expiry'
)
SELECT NULL::TEXT AS room_id, one.item ->> 'room_type_id' AS room_type_id, one.item ->> 'id' AS item_id, r.id AS reservation_id,
       r.starts + coalesce((one.item ->> 'late_nights')::INTEGER, 0) AS starts, r.ends, false AS pinned, r.code, r.status, g.name,
       NULL::TIMESTAMPTZ AS given_back_at, NULL::TIMESTAMPTZ AS came_at
FROM awaited JOIN reservation.reservations r ON r.tenant_id = $1 AND r.id = awaited.id
CROSS JOIN LATERAL jsonb_array_elements(r.body -> 'items') AS one (item)
LEFT JOIN reservation.guests g ON g.tenant_id = r.tenant_id AND g.id = r.guest_id
WHERE EXISTS (SELECT FROM reservation.settings s
              WHERE s.tenant_id = $1 AND s.property_id IN ('', $2) AND s."values" ? 'inventoryMode')
  AND r.property_id = $2 AND r.starts < $4 AND r.ends > $3 AND r.status IN ('held', 'confirmed')
  AND r.body @> '{"external_inventory": true}' AND (one.item ->> 'active')::BOOLEAN
  AND NOT EXISTS (SELECT FROM reservation.room_allocations a
                  WHERE a.tenant_id = $1 AND a.reservation_id = r.id AND a.item_id = one.item ->> 'id' AND a.released_at IS NULL)
ORDER BY starts, r.id, one.item ->> 'id'
