-- Who has which nights, and who had them. What was given back says when, and when its guest came: such nights count where somebody has slept
-- in them, which only the clock of the house can tell.
SELECT a.room_id, a.room_type_id, a.item_id, a.reservation_id, a.starts, a.ends, a.pinned, r.code, r.status, g.name,
       a.released_at AS given_back_at,
       CASE WHEN a.released_at IS NOT NULL THEN (r.body ->> 'checked_in_at')::TIMESTAMPTZ END AS came_at
FROM reservation.room_allocations a
JOIN reservation.reservations r ON r.tenant_id = a.tenant_id AND r.id = a.reservation_id
LEFT JOIN reservation.guests g ON g.tenant_id = r.tenant_id AND g.id = r.guest_id
WHERE a.tenant_id = $1 AND a.property_id = $2 AND a.ends > $3 AND a.starts < $4
  AND (a.released_at IS NULL OR r.status IN ('checked_in', 'checkout_started', 'checked_out'))
ORDER BY a.starts, a.id
