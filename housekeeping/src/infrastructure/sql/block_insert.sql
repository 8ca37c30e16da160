INSERT INTO housekeeping.room_blocks
  (tenant_id, id, property_id, room_id, reason, owner, blocked_until, note, created_at, task_id, version, told_at, begins_at, cleared_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
