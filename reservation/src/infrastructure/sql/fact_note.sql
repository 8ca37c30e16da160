INSERT INTO reservation.facts (tenant_id, reservation_id, kind, key, body, told_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT DO NOTHING
