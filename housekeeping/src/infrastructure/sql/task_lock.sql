-- A task and its room, the room locked first: every writer locks in this order, so two cannot wait for each other.
SELECT t.*, r.status AS room_status, r.last_task_id, r.last_flipped_at, r.last_flipped_by, r.last_cause,
       r.version AS room_version
FROM housekeeping.room_status r
JOIN housekeeping.housekeeping_tasks t
  ON t.tenant_id = r.tenant_id AND t.property_id = r.property_id AND t.room_id = r.room_id
WHERE t.tenant_id = $1 AND t.id = $2 AND t.created_at = $3
FOR UPDATE OF r, t
