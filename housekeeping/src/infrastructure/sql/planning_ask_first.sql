-- $2 came to clean where nobody else does, and something waits there to be done. Told again, it asks for nothing; neither does somebody
-- who comes to others. Who oversees and is alone is asked for too, and whoever cleans and comes after them once more.
WITH came AS (
  SELECT s.property_id, max(s.clocked_in_at) AS at
  FROM housekeeping.staff_shift_assignments s
  WHERE s.tenant_id = $1 AND s.staff_id = $2 AND s.ended_at IS NULL AND s.job IS DISTINCT FROM 'other'
    AND s.clocked_in_at IS NOT NULL AND (s.clocked_out_at IS NULL OR s.clocked_out_at < s.clocked_in_at)
  GROUP BY s.property_id
)
INSERT INTO housekeeping.planning_requests AS known (tenant_id, property_id, reason, asked_at, first_in_at)
SELECT $1, c.property_id, 'first_person_in', $3, c.at
FROM came c
WHERE NOT EXISTS (SELECT FROM housekeeping.staff_shift_assignments o
                  WHERE o.tenant_id = $1 AND o.property_id = c.property_id AND o.staff_id <> $2 AND o.ended_at IS NULL
                    AND coalesce(o.job, 'cleaning') = 'cleaning'
                    AND o.clocked_in_at IS NOT NULL AND (o.clocked_out_at IS NULL OR o.clocked_out_at < o.clocked_in_at))
  AND EXISTS (SELECT FROM housekeeping.housekeeping_tasks t
              WHERE t.tenant_id = $1 AND t.property_id = c.property_id AND t.status IN ('pending', 'assigned', 'in_progress', 'paused'))
ON CONFLICT (tenant_id, property_id) DO UPDATE
SET reason = excluded.reason, asked_at = excluded.asked_at, asked = known.asked + 1, first_in_at = excluded.first_in_at
WHERE known.first_in_at IS NULL OR known.first_in_at < excluded.first_in_at
