UPDATE housekeeping.room_status SET
  status = $5, last_task_id = $6, last_flipped_at = $7, last_flipped_by = $8::TEXT::JSONB, last_cause = $9, version = $10
WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND version = $4
