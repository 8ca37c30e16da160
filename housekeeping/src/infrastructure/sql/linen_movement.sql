INSERT INTO housekeeping.linen_movements (tenant_id, line_id, task_id, direction, count, occurred_at, actor)
VALUES ($1, $2, $3, $4, $5, $6, $7)
