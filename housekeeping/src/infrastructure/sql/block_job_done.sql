INSERT INTO housekeeping.maintenance_blocks (tenant_id, work_order_id, property_id, room_id, task_id, blocking, cleared_at)
VALUES ($1, $2, $3, $4, $5, false, $6)
ON CONFLICT (tenant_id, work_order_id) DO UPDATE SET cleared_at = coalesce(maintenance_blocks.cleared_at, excluded.cleared_at)
