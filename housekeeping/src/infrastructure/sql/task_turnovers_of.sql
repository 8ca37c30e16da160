-- Rooms that have had a turnover for this departure, whatever became of it: one departure, one turnover. What somebody opened by hand before
-- the guest was gone is none.
SELECT DISTINCT room_id FROM housekeeping.housekeeping_tasks
WHERE tenant_id = $1 AND reservation_id = $2 AND kind = 'turnover' AND source = 'event' AND retry_of IS NULL
