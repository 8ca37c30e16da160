SELECT reservation_id, counted_from FROM reservation.timers
WHERE tenant_id = $1 AND kind = $2 AND due_at <= $3 AND reservation_id > $4
ORDER BY reservation_id
LIMIT $5
