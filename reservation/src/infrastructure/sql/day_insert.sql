INSERT INTO reservation.day_closes (tenant_id, property_id, day, figures, closed_at, closed_by) VALUES ($1, $2, $3, $4, $5, $6)
