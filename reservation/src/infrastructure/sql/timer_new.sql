INSERT INTO reservation.timers (tenant_id, reservation_id, kind, due_at) VALUES ($1, $2, $3, $4)
