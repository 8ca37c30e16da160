-- Rooms that have had a turnover for this departure, whatever became of it: one departure, one turnover. What somebody opened by hand before
-- the guest was gone is none, and what was opened before they came back is another departure's, unless it waits still.
SELECT DISTINCT t.room_id FROM housekeeping.housekeeping_tasks t
LEFT JOIN housekeeping.expected_stays s ON s.tenant_id = t.tenant_id AND s.reservation_id = t.reservation_id
WHERE t.tenant_id = $1 AND t.reservation_id = $2 AND t.kind = 'turnover' AND t.source = 'event' AND t.retry_of IS NULL
  AND (s.came_back_heard_at IS NULL OR t.created_at >= s.came_back_heard_at OR t.status IN ('pending', 'assigned'))
