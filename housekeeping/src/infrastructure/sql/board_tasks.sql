SELECT * FROM housekeeping.housekeeping_tasks
WHERE tenant_id = $1 AND property_id = $2 AND status IN ('pending', 'assigned', 'in_progress', 'paused')
ORDER BY id
LIMIT 5000
