SELECT id, previous_status, status, cause, task_id, flipped_by, flipped_at, note
FROM housekeeping.room_status_audit
WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND ($4::TIMESTAMPTZ IS NULL OR flipped_at <= $4)
  AND ($5::BIGINT IS NULL OR id < $5)
ORDER BY id DESC
LIMIT $6
