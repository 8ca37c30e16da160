SELECT body, version FROM reservation.quotes WHERE tenant_id = $1 AND id = $2
