-- What is due by itself from now on, and what is not any more: one statement for both.
WITH gone AS (
  DELETE FROM reservation.timers WHERE tenant_id = $1 AND reservation_id = $2 AND kind = ANY ($6::TEXT[])
)
INSERT INTO reservation.timers (tenant_id, reservation_id, kind, due_at, counted_from) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, reservation_id, kind) DO UPDATE SET due_at = excluded.due_at, counted_from = excluded.counted_from
