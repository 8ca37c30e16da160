-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE reservation.room_types SET version = $4, name = $5, max_occupancy = $6, base_rate = $7::TEXT::NUMERIC, overbooking = $8,
    updated_at = $9
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
