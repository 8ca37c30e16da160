-- Open alerts whose reason is gone: all of the tenant's, or the one that is named, locked unless somebody else is at it. $3: a day that
-- is over in every zone. What money is about, and a house that is closed, only a person can see to.
SELECT l.* FROM reservation.alerts l
LEFT JOIN reservation.reservations r ON r.tenant_id = l.tenant_id AND r.id = l.reservation_id
WHERE l.tenant_id = $1 AND l.resolved_at IS NULL AND ($2::TEXT IS NULL OR l.id = $2) AND CASE
  WHEN l.kind IN ('overbooked', 'room_out_of_order', 'overstay_conflict', 'key_failed', 'allocation_failed')
    AND r.status IN ('cancelled', 'no_show', 'expired', 'checked_out') THEN true
  WHEN l.kind = 'overbooked' THEN NOT EXISTS (
    SELECT FROM reservation.room_allocations a
    WHERE a.tenant_id = $1 AND a.reservation_id = l.reservation_id AND a.released_at IS NULL AND a.room_id IS NULL)
  -- Whoever lost the room has another, and whoever is still in it can use it again.
  WHEN l.kind = 'room_out_of_order' THEN NOT EXISTS (
    SELECT FROM reservation.room_allocations a
    LEFT JOIN reservation.rooms o ON o.tenant_id = $1 AND o.id = a.room_id
    WHERE a.tenant_id = $1 AND a.reservation_id = l.reservation_id AND a.released_at IS NULL
      AND (a.room_id IS NULL OR a.room_id = l.room_id AND (o.archived OR EXISTS (
        SELECT FROM reservation.room_blocks b
        WHERE b.tenant_id = $1 AND b.room_id = l.room_id AND b.lifted_at IS NULL AND (b.ends IS NULL OR b.ends > $3::DATE)
          AND a.nights && daterange(b.starts, b.ends)))))
  -- The guest is in another room now.
  WHEN l.kind = 'overstay_conflict' THEN NOT EXISTS (
    SELECT FROM reservation.room_allocations a
    WHERE a.tenant_id = $1 AND a.reservation_id = l.reservation_id AND a.released_at IS NULL AND a.room_id = l.room_id)
  -- A key came after all, or a person let the guest in.
  WHEN l.kind = 'key_failed' THEN (r.body ->> 'checked_in_at')::TIMESTAMPTZ > l.raised_at OR EXISTS (
    SELECT FROM reservation.facts f
    WHERE f.tenant_id = $1 AND f.reservation_id = l.reservation_id AND f.kind = 'key_issued' AND f.told_at >= l.raised_at
      AND (f.body ->> 'room' IS NULL OR l.room_id IS NULL OR f.body ->> 'room' = l.room_id))
  -- Rules were named since that are known.
  WHEN l.kind = 'policy_unknown' THEN EXISTS (
    SELECT FROM reservation.settings s
    WHERE s.tenant_id = $1 AND s.property_id IN ('', l.property_id)
      AND (s.said_at ->> 'cancellationPolicyVersion')::TIMESTAMPTZ > l.raised_at)
  ELSE false END
ORDER BY l.id
LIMIT 200
FOR UPDATE OF l SKIP LOCKED
