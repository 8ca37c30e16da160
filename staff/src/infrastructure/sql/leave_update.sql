-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE staff.leave_requests SET
    version = $4, status = $5, decided_by = $6, decided_at = $7, decision_note = $8, cancelled_by = $9, cancelled_at = $10
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
