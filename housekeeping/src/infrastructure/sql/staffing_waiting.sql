SELECT property_id, id, priority, estimated_minutes, scheduled_for
FROM housekeeping.housekeeping_tasks
WHERE tenant_id = $1 AND status IN ('pending', 'assigned')
ORDER BY array_position(ARRAY['urgent', 'high', 'normal', 'low'], priority), id
LIMIT 20000
