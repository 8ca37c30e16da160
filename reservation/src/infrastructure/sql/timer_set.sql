INSERT INTO reservation.timers (tenant_id, reservation_id, kind, due_at, counted_from) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, reservation_id, kind) DO UPDATE SET due_at = excluded.due_at, counted_from = excluded.counted_from
