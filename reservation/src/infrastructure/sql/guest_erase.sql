-- The hashes stay: who comes again is known as such, and by nothing else.
UPDATE reservation.guests SET name = NULL, email = NULL, phone = NULL, erased_at = $3, updated_at = $3
WHERE tenant_id = $1 AND id = $2
