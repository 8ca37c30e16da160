-- The row is locked by whoever decided; $4 says that it is the version that was decided on, $5 what it becomes.
-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE housekeeping.housekeeping_tasks SET
    version = $5, status = $6, priority = $7, assignee_staff_id = $8, started_at = $9, paused_at = $10, pause_reason = $11,
    completed_at = $12, duration_minutes = $13, failure_reason = $14, failure_note = $15,
    outcome_results = $16, linen_issued = $17, linen_returned = $18, no_maintenance_found = $19,
    paused_seconds = $20, cancel_reason = $21, priority_bumped_at = $22, updated_at = $23, attempts = $24,
    scheduled_for = $25, escalated_at = $26, escalated_to = $27, escalation_reason = $28, helper_staff_ids = $29, priority_lowered_at = $30
  WHERE tenant_id = $1 AND id = $2 AND created_at = $3 AND version = $4
  RETURNING 1
)
SELECT 1 / count(*) FROM met
