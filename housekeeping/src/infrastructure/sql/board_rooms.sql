-- Who is in the house is read once through the partial index; asked room by room, the whole table would be read.
SELECT r.room_id, r.status, r.version, r.last_flipped_at, m.number, m.floor, m.section, m.room_type,
       r.room_id IN (SELECT o.room_id FROM housekeeping.reservation_occupancy o
                     WHERE o.tenant_id = $1 AND o.property_id = $2 AND o.departed_at IS NULL) AS occupied
FROM housekeeping.room_status r
LEFT JOIN housekeeping.rooms m USING (tenant_id, property_id, room_id)
WHERE r.tenant_id = $1 AND r.property_id = $2 AND m.archived_at IS NULL
ORDER BY m.floor NULLS LAST, m.number, r.room_id
LIMIT 5000
