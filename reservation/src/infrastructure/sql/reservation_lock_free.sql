-- Those of them that nobody is at: whoever is will be looked at again.
SELECT r.id FROM reservation.reservations r WHERE r.tenant_id = $1 AND r.id = ANY ($2::TEXT[]) ORDER BY r.id FOR UPDATE SKIP LOCKED
