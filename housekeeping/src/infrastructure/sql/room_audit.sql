-- One step of a decision.
INSERT INTO housekeeping.room_status_audit
  (tenant_id, property_id, room_id, flipped_by, flipped_at, previous_status, status, cause, task_id, note)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
