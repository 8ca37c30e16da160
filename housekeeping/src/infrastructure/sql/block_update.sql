-- The row is locked by whoever decided; $3 says that it is the version that was decided on.
-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE housekeeping.room_blocks SET version = $4, cleared_at = $5, blocked_until = $6, note = $7, told_at = $8, begins_at = $9
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
