SELECT g.id, g.name, g.email, g.phone, g.locale, g.email_hash, g.phone_hash FROM reservation.guests g
WHERE g.tenant_id = $1 AND g.id = (SELECT r.guest_id FROM reservation.reservations r WHERE r.tenant_id = $1 AND r.id = $2)
