-- Minutes of work that people have behind them since a moment; who helped was at it as long.
SELECT p.staff_id, sum(least(coalesce(t.duration_minutes, 0), 1440))::BIGINT AS minutes
FROM housekeeping.housekeeping_tasks t, unnest(t.assignee_staff_id || t.helper_staff_ids) AS p (staff_id)
WHERE t.tenant_id = $1 AND t.property_id = $2 AND t.status = 'completed' AND t.completed_at >= $3 AND t.assignee_staff_id IS NOT NULL
GROUP BY p.staff_id
