INSERT INTO reservation.closed_houses (tenant_id, property_id, closed_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
