-- Open work in rooms whose next guest comes within two days, and since when it presses as it does. What is planned for after they have come is
-- not for them, unless it was tried before.
SELECT a.property_id, a.room_id, a.expected_at, t.priority,
       greatest(t.created_at, t.priority_bumped_at, t.priority_lowered_at) AS said_at
FROM (SELECT property_id, room_id, min(expected_at) AS expected_at FROM housekeeping.arrivals
      WHERE tenant_id = $1 AND over_at IS NULL AND expected_at > $2::TIMESTAMPTZ - interval '1 day' AND expected_at < $2 + interval '2 days'
      GROUP BY property_id, room_id) a
JOIN housekeeping.housekeeping_tasks t
  ON t.tenant_id = $1 AND t.property_id = a.property_id AND t.room_id = a.room_id
 AND t.status IN ('pending', 'assigned', 'in_progress', 'paused') AND t.kind <> 'mid_stay_clean' AND t.priority <> 'urgent'
 AND (t.attempts > 0 OR t.scheduled_for IS NULL OR t.scheduled_for <= greatest(a.expected_at, $2))
ORDER BY a.expected_at, a.room_id
LIMIT 5000
