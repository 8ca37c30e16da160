-- All that lies on the shelves of some types: their rooms, who has nights of them, what is closed, and what is said of single nights. One
-- question, whose rows say what they are.
-- Nights are found by the type of the room they lie in, else as they were sold. Without days: all that is not over, for whoever moves others
-- aside. `greatest` and `least` pass over what is not said, as coalesce does, and an index answers for them under a policy.
SELECT 'door' AS what, r.room_type_id, r.id, coalesce(r.number, r.id) AS room_id, NULL::DATE AS starts, NULL::DATE AS ends,
  NULL::BOOLEAN AS movable, NULL::INTEGER AS overbooking, NULL::TEXT AS rate
FROM reservation.rooms r WHERE r.tenant_id = $1 AND r.room_type_id = ANY ($3::TEXT[]) AND NOT r.archived
UNION ALL
SELECT 'taken', r.room_type_id, a.id, a.room_id, a.starts, a.ends, NOT (a.pinned OR a.occupied), NULL, NULL
FROM reservation.rooms r
JOIN reservation.room_allocations a ON a.tenant_id = r.tenant_id AND a.room_id = r.id
WHERE r.tenant_id = $1 AND r.room_type_id = ANY ($3::TEXT[]) AND a.tenant_id = $1 AND a.released_at IS NULL
  AND a.ends > greatest($4::DATE, '-infinity') AND a.starts < least($5::DATE, 'infinity')
UNION ALL
SELECT 'taken', a.room_type_id, a.id, a.room_id, a.starts, a.ends, NOT (a.pinned OR a.occupied), NULL, NULL
FROM reservation.room_allocations a
WHERE a.tenant_id = $1 AND a.property_id = $2 AND a.released_at IS NULL AND a.room_no IS NULL AND a.room_type_id = ANY ($3::TEXT[])
  AND a.ends > greatest($4::DATE, '-infinity') AND a.starts < least($5::DATE, 'infinity')
UNION ALL
SELECT 'block', r.room_type_id, b.id, b.room_id, b.starts, b.ends, NULL, NULL, NULL
FROM reservation.room_blocks b JOIN reservation.rooms r ON r.tenant_id = b.tenant_id AND r.id = b.room_id
WHERE b.tenant_id = $1 AND b.lifted_at IS NULL AND r.room_type_id = ANY ($3::TEXT[])
  AND (b.ends IS NULL OR b.ends > greatest($4::DATE, '-infinity'))
UNION ALL
SELECT 'night', n.room_type_id, NULL, NULL, n.night, NULL, NULL, n.overbooking, n.rate::TEXT
FROM reservation.type_nights n
WHERE n.tenant_id = $1 AND n.room_type_id = ANY ($3::TEXT[]) AND n.night >= $6 AND n.night < $7
