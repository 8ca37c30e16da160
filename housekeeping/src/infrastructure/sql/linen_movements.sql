-- The movements of a line, newest first.
SELECT id, direction, count, task_id, occurred_at, actor FROM housekeeping.linen_movements
WHERE tenant_id = $1 AND line_id = $2 AND ($3::BIGINT IS NULL OR id < $3)
ORDER BY id DESC
LIMIT $4
