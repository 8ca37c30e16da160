SELECT * FROM housekeeping.housekeeping_tasks
WHERE tenant_id = $1 AND property_id = $2 AND (assignee_staff_id = $3 OR $3 = ANY (helper_staff_ids))
  AND status IN ('completed', 'failed', 'requires_maintenance') AND updated_at >= $4 AND created_at >= $5
ORDER BY updated_at, id
LIMIT 200
