-- Minutes of work that people have behind them since a moment.
SELECT assignee_staff_id AS staff_id, sum(least(coalesce(duration_minutes, 0), 1440))::BIGINT AS minutes
FROM housekeeping.housekeeping_tasks
WHERE tenant_id = $1 AND property_id = $2 AND status = 'completed' AND completed_at >= $3 AND assignee_staff_id IS NOT NULL
GROUP BY assignee_staff_id
