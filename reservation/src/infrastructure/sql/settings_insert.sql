INSERT INTO reservation.settings (tenant_id, property_id, "values", said_at, version, updated_at)
VALUES ($1, $2, $3, $4, $5, $6)
