SELECT r.room_id, r.status, r.version, r.last_flipped_at, m.number, m.floor, m.section, m.room_type,
       EXISTS (SELECT FROM housekeeping.reservation_occupancy o
               WHERE o.tenant_id = r.tenant_id AND o.property_id = r.property_id AND o.room_id = r.room_id
                 AND o.departed_at IS NULL) AS occupied
FROM housekeeping.room_status r
LEFT JOIN housekeeping.rooms m USING (tenant_id, property_id, room_id)
WHERE r.tenant_id = $1 AND r.property_id = $2
ORDER BY m.floor NULLS LAST, m.number, r.room_id
LIMIT 5000
