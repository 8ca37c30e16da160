-- A job that is done stays done, also when its beginning is told later.
INSERT INTO housekeeping.maintenance_blocks
  (tenant_id, work_order_id, property_id, room_id, task_id, blocking, blocked_until, opened_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant_id, work_order_id) DO UPDATE SET
  blocking = excluded.blocking, blocked_until = excluded.blocked_until, task_id = coalesce(excluded.task_id, maintenance_blocks.task_id),
  opened_at = coalesce(maintenance_blocks.opened_at, excluded.opened_at)
