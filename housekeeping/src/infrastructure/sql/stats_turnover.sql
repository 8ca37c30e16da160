-- Work that was done in a time, with the first inspection of each, by kind, day, person and type of room, and in all.
-- `created_at` names the partitions: what had waited for more than a month when it was done is not counted.
-- The types of the rooms are read once: asked task by task, they would be half of the work.
WITH doors AS MATERIALIZED (
  SELECT room_id, room_type FROM housekeeping.rooms WHERE tenant_id = $1 AND property_id = $2
), done AS (
  SELECT t.kind, t.assignee_staff_id || t.helper_staff_ids AS people, coalesce(m.room_type, '') AS room_type,
         to_char(t.completed_at AT TIME ZONE $6::TEXT, 'YYYY-MM-DD') AS day, t.duration_minutes AS minutes,
         i.outcome, extract(epoch FROM i.performed_at - t.completed_at) / 60 AS waited
  FROM housekeeping.housekeeping_tasks t
  LEFT JOIN doors m ON m.room_id = t.room_id
  LEFT JOIN LATERAL (
    SELECT outcome, performed_at FROM housekeeping.inspections
    WHERE tenant_id = $1 AND task_id = t.id ORDER BY performed_at LIMIT 1) i ON true
  WHERE t.tenant_id = $1 AND t.property_id = $2 AND t.status = 'completed'
    AND t.completed_at >= $3 AND t.completed_at < $4 AND t.created_at >= $5 AND t.created_at < $4
)
SELECT grouping(kind, day, room_type) AS part, kind, day, NULL::TEXT AS staff_id, room_type, count(*) AS count,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes) AS median,
       percentile_cont(0.9) WITHIN GROUP (ORDER BY minutes) AS p90,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY waited::FLOAT8) AS waited,
       count(outcome) AS inspected, count(*) FILTER (WHERE outcome = 'pass') AS passed
FROM done
GROUP BY GROUPING SETS ((), (kind), (day), (room_type))
UNION ALL
-- Who helped did it, too.
SELECT 0, NULL, NULL, p.staff_id, NULL, count(*),
       percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes), percentile_cont(0.9) WITHIN GROUP (ORDER BY minutes),
       percentile_cont(0.5) WITHIN GROUP (ORDER BY waited::FLOAT8),
       count(outcome), count(*) FILTER (WHERE outcome = 'pass')
FROM done, unnest(people) AS p (staff_id)
GROUP BY p.staff_id
ORDER BY part, kind, day, staff_id, room_type
