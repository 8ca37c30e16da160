-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE reservation.room_blocks SET version = $4, lifted_at = $5
  WHERE tenant_id = $1 AND id = $2 AND version = $3 AND lifted_at IS NULL
  RETURNING 1
)
SELECT 1 / count(*) FROM met
