SELECT * FROM reservation.rooms WHERE tenant_id = $1 AND id = ANY ($2::TEXT[]) ORDER BY id
