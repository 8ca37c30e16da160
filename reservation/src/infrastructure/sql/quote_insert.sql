INSERT INTO reservation.quotes (tenant_id, id, property_id, body, expires_at, version) VALUES ($1, $2, $3, $4, $5, $6)
