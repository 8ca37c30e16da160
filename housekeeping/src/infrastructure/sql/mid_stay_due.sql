-- Guests who stay, whose room was last cleaned a day ago or never: all of them, or one room. What was called off for them is settled for a day.
-- What is planned for a later day than tomorrow keeps nobody from it, but for a clean of theirs that was put off.
SELECT DISTINCT ON (o.property_id, o.room_id) o.property_id, o.room_id, o.reservation_id, o.item_id
FROM housekeeping.reservation_occupancy o
WHERE o.tenant_id = $1 AND o.departed_at IS NULL AND o.arrived_at <= $2::TIMESTAMPTZ - interval '24 hours'
  AND ($3::TEXT IS NULL OR o.room_id = $3)
  AND NOT EXISTS (
    SELECT FROM housekeeping.housekeeping_tasks t
    WHERE t.tenant_id = $1 AND t.property_id = o.property_id AND t.room_id = o.room_id AND t.created_at > $2 - interval '62 days' AND t.kind <> 'inspection'
      AND (t.status IN ('pending', 'assigned', 'in_progress', 'paused')
             AND (t.kind = 'mid_stay_clean' OR t.scheduled_for IS NULL OR t.scheduled_for < $2 + interval '24 hours')
           OR t.status = 'completed' AND t.completed_at > $2 - interval '24 hours'
           OR t.status = 'cancelled' AND t.kind = 'mid_stay_clean' AND t.reservation_id = o.reservation_id
             AND t.updated_at > $2 - interval '24 hours'))
ORDER BY o.property_id, o.room_id, o.arrived_at DESC
LIMIT 5000
