SELECT DISTINCT property_id, room_id FROM housekeeping.housekeeping_tasks
WHERE tenant_id = $1 AND reservation_id = $2 AND status IN ('pending', 'assigned', 'in_progress', 'paused')
ORDER BY property_id, room_id
