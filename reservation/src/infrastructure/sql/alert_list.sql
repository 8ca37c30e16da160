-- Newest first: ids begin with the time.
SELECT * FROM reservation.alerts
WHERE tenant_id = $1 AND property_id = $2 AND ($3::BOOLEAN IS NULL OR (resolved_at IS NULL) = $3) AND ($4::TEXT IS NULL OR id < $4)
ORDER BY id DESC
LIMIT $5
