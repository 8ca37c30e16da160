-- Rooms in which a clean for guests who stay was called off when these turnovers were opened.
SELECT DISTINCT m.room_id FROM housekeeping.housekeeping_tasks m
JOIN housekeeping.housekeeping_tasks t ON t.tenant_id = m.tenant_id AND t.property_id = m.property_id AND t.room_id = m.room_id
WHERE m.tenant_id = $1 AND m.reservation_id = $2 AND m.kind = 'mid_stay_clean' AND m.status = 'cancelled'
  AND t.id = ANY ($3) AND m.updated_at = t.created_at
