SELECT id FROM reservation.reservations WHERE tenant_id = $1 AND code = $2
