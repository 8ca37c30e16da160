UPDATE reservation.quotes SET version = $4, body = $5 WHERE tenant_id = $1 AND id = $2 AND version = $3
