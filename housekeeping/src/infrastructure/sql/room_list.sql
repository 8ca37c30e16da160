SELECT r.*, m.number, m.floor, m.section, m.room_type,
       r.room_id IN (SELECT o.room_id FROM housekeeping.reservation_occupancy o
                     WHERE o.tenant_id = $1 AND o.property_id = $2 AND o.departed_at IS NULL) AS occupied
FROM housekeeping.room_status r
LEFT JOIN housekeeping.rooms m USING (tenant_id, property_id, room_id)
WHERE r.tenant_id = $1 AND r.property_id = $2 AND m.archived_at IS NULL AND ($3::TEXT IS NULL OR r.room_id > $3)
ORDER BY r.room_id
LIMIT $4
