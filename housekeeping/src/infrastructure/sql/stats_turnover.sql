-- Work that was done in a time, with the first inspection of each, by kind, day, person and type of room, and in all.
-- `created_at` names the partitions: what had waited for more than a month when it was done is not counted.
WITH done AS (
  SELECT t.kind, t.assignee_staff_id AS staff_id, coalesce(m.room_type, '') AS room_type,
         to_char(t.completed_at AT TIME ZONE $6::TEXT, 'YYYY-MM-DD') AS day, t.duration_minutes AS minutes,
         i.outcome, extract(epoch FROM i.performed_at - t.completed_at) / 60 AS waited
  FROM housekeeping.housekeeping_tasks t
  LEFT JOIN housekeeping.rooms m ON m.tenant_id = t.tenant_id AND m.property_id = t.property_id AND m.room_id = t.room_id
  LEFT JOIN LATERAL (
    SELECT outcome, performed_at FROM housekeeping.inspections
    WHERE tenant_id = $1 AND task_id = t.id ORDER BY performed_at LIMIT 1) i ON true
  WHERE t.tenant_id = $1 AND t.property_id = $2 AND t.status = 'completed'
    AND t.completed_at >= $3 AND t.completed_at < $4 AND t.created_at >= $5 AND t.created_at < $4
)
SELECT grouping(kind, day, staff_id, room_type) AS part, kind, day, staff_id, room_type, count(*) AS count,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes) AS median,
       percentile_cont(0.9) WITHIN GROUP (ORDER BY minutes) AS p90,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY waited::FLOAT8) AS waited,
       count(outcome) AS inspected, count(*) FILTER (WHERE outcome = 'pass') AS passed
FROM done
GROUP BY GROUPING SETS ((), (kind), (day), (staff_id), (room_type))
ORDER BY part, kind, day, staff_id, room_type
