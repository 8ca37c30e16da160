SELECT * FROM housekeeping.housekeeping_tasks WHERE id = $1 AND created_at = $2 AND tenant_id = $3
