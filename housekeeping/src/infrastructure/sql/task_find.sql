SELECT * FROM housekeeping.housekeeping_tasks WHERE tenant_id = $1 AND id = $2 AND created_at = $3
