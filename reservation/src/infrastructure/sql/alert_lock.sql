SELECT * FROM reservation.alerts WHERE tenant_id = $1 AND id = $2 FOR UPDATE
