-- A guest is known to the houses where a booking names them.
SELECT g.id, g.name, g.email, g.phone, g.locale, g.email_hash, g.phone_hash, g.erased_at FROM reservation.guests g
WHERE g.tenant_id = $1 AND g.id = $2
  AND ($3::TEXT[] IS NULL OR EXISTS (SELECT FROM reservation.reservations r
        WHERE r.tenant_id = $1 AND r.guest_id = g.id AND r.property_id = ANY ($3)))
