-- The row is locked by whoever decided; $4 says that it is the version that was decided on, $5 what it becomes.
-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE housekeeping.room_status SET
    version = $5, status = $6, last_task_id = $7, last_flipped_at = $8, last_flipped_by = $9, last_cause = $10
  WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND version = $4
  RETURNING 1
)
SELECT 1 / count(*) FROM met
