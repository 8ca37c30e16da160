SELECT * FROM reservation.alerts
WHERE tenant_id = $1 AND reservation_id = ANY ($2::TEXT[]) AND resolved_at IS NULL
ORDER BY id
