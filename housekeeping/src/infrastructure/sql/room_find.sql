-- $3: the houses to look in; NULL for all. Two houses may have a room of the same id: two are enough to know.
SELECT r.*, m.number, m.floor, m.section, m.room_type,
       EXISTS (SELECT FROM housekeeping.reservation_occupancy o
               WHERE o.tenant_id = r.tenant_id AND o.property_id = r.property_id AND o.room_id = r.room_id
                 AND o.departed_at IS NULL) AS occupied
FROM housekeeping.room_status r
LEFT JOIN housekeeping.rooms m USING (tenant_id, property_id, room_id)
WHERE r.tenant_id = $1 AND r.room_id = $2 AND ($3::TEXT[] IS NULL OR r.property_id = ANY ($3))
ORDER BY r.property_id
LIMIT 2
