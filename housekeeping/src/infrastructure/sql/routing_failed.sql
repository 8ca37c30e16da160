-- Open work that somebody failed to do before, and who.
SELECT t.id, f.assignee_staff_id AS staff_id
FROM housekeeping.housekeeping_tasks t
JOIN housekeeping.housekeeping_tasks f ON f.tenant_id = $1 AND f.id = t.retry_of AND f.status = 'failed'
WHERE t.tenant_id = $1 AND t.property_id = $2 AND t.status IN ('pending', 'assigned', 'in_progress', 'paused')
  AND t.retry_of IS NOT NULL AND f.assignee_staff_id IS NOT NULL
