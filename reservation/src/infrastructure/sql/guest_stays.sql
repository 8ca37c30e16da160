-- What a guest ever booked, and until when; whether it is over.
SELECT id, ends, status IN ('checked_out', 'cancelled', 'no_show', 'expired') AS is_over
FROM reservation.reservations WHERE tenant_id = $1 AND guest_id = $2 ORDER BY id
