-- The row is locked by whoever decided; the version says that it is the row that was decided on.
UPDATE housekeeping.housekeeping_tasks SET
  status = $5, priority = $6, assignee_staff_id = $7, started_at = $8, paused_at = $9, pause_reason = $10,
  completed_at = $11, duration_minutes = $12, failure_reason = $13, failure_note = $14,
  outcome_results = $15::TEXT::JSONB, linen_issued = $16, linen_returned = $17, no_maintenance_found = $18,
  paused_seconds = $19, cancel_reason = $20, priority_bumped_at = $21, version = $4 + 1, updated_at = $22
WHERE id = $1 AND created_at = $2 AND tenant_id = $3 AND version = $4
