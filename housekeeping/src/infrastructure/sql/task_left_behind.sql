-- What somebody had begun who has gone home since, and when they went. Who never came by the clock and works all the same is not gone, and
-- where somebody who helps is at work, the work goes on.
SELECT t.id, max(greatest(a.clocked_out_at, a.ended_at)) AS left_at
FROM housekeeping.housekeeping_tasks t
JOIN housekeeping.staff_shift_assignments a
  ON a.tenant_id = t.tenant_id AND a.staff_id = t.assignee_staff_id AND a.property_id = t.property_id
WHERE t.tenant_id = $1 AND t.property_id = $2 AND t.status IN ('in_progress', 'paused')
  AND greatest(a.clocked_out_at, a.ended_at) >= t.started_at
  AND NOT EXISTS (SELECT FROM housekeeping.staff_shift_assignments o
                  WHERE o.tenant_id = $1 AND o.property_id = $2 AND o.ended_at IS NULL
                    AND (o.staff_id = t.assignee_staff_id OR o.staff_id = ANY (t.helper_staff_ids))
                    AND o.clocked_in_at IS NOT NULL AND (o.clocked_out_at IS NULL OR o.clocked_out_at < o.clocked_in_at))
GROUP BY t.id
