DELETE FROM reservation.timers WHERE tenant_id = $1 AND reservation_id = $2 AND kind = ANY ($3::TEXT[])
