-- Somebody has read it. A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE staff.handoff_notes SET version = $4 WHERE tenant_id = $1 AND id = $2 AND version = $3 RETURNING 1
), noted AS (
  INSERT INTO staff.handoff_acks (tenant_id, note_id, staff_id, acknowledged_at) VALUES ($1, $2, $5, $6) RETURNING 1
)
SELECT 1 / (SELECT count(*) FROM met) + count(*) FROM noted
