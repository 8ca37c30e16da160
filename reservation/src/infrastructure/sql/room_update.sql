-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE reservation.rooms SET version = $4, room_type_id = $5, number = $6, floor = $7, archived = $8, updated_at = $9
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
