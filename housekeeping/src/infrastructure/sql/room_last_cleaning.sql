-- By the room's own history: it has an index by room, and the tasks have none for what is over.
SELECT t.id, t.kind, t.assignee_staff_id, t.completed_at, t.duration_minutes
FROM (SELECT task_id FROM housekeeping.room_status_audit
      WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND cause = 'task_completed' AND task_id IS NOT NULL
      ORDER BY flipped_at DESC, id DESC LIMIT 1) AS last
JOIN housekeeping.housekeeping_tasks t ON t.tenant_id = $1 AND t.id = last.task_id AND t.status = 'completed'
