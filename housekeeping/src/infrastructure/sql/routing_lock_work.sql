-- Tasks with their rooms, the rooms first and in the order of their ids: every writer locks in this order.
SELECT t.* FROM housekeeping.room_status r
JOIN housekeeping.housekeeping_tasks t
  ON t.tenant_id = r.tenant_id AND t.property_id = r.property_id AND t.room_id = r.room_id
WHERE t.tenant_id = $1 AND r.property_id = $2 AND t.id = ANY ($3) AND t.created_at BETWEEN $4 AND $5
ORDER BY r.room_id, t.id
FOR UPDATE OF r, t
