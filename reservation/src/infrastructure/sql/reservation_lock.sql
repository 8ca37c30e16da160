-- Locked alone, and read again with all that lies beside it: what another decided meanwhile is seen.
SELECT r.id FROM reservation.reservations r WHERE r.tenant_id = $1 AND r.id = $2 FOR UPDATE
