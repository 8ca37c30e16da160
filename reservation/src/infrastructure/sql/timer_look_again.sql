-- The house works differently from now on: whoever is awaited or is there is looked at again.
INSERT INTO reservation.timers AS t (tenant_id, reservation_id, kind, due_at)
SELECT r.tenant_id, r.id, CASE r.status WHEN 'confirmed' THEN 'no_show' ELSE 'overstay' END, $3
FROM reservation.reservations r
WHERE r.tenant_id = $1 AND ($2::TEXT IS NULL OR r.property_id = $2) AND r.status IN ('confirmed', 'checked_in', 'checkout_started')
ON CONFLICT (tenant_id, reservation_id, kind) DO UPDATE SET due_at = least(t.due_at, excluded.due_at)
