-- Open work in these rooms; the caller holds the rooms' locks.
SELECT * FROM housekeeping.housekeeping_tasks
WHERE tenant_id = $1 AND property_id = $2 AND room_id = ANY ($3)
  AND status IN ('pending', 'assigned', 'in_progress', 'paused')
ORDER BY room_id, id
FOR UPDATE
