-- By the type of the room it lies in, else as it was sold. Without days: all that is not over, for whoever moves others aside.
-- `greatest` and `least` pass over what is not said, as coalesce does, and an index answers for them under a policy.
SELECT a.id, a.room_id, a.starts, a.ends, NOT (a.pinned OR a.occupied) AS movable, r.room_type_id
FROM reservation.rooms r
JOIN reservation.room_allocations a ON a.tenant_id = r.tenant_id AND a.room_id = r.id
WHERE r.tenant_id = $1 AND r.room_type_id = ANY ($3::TEXT[]) AND a.tenant_id = $1 AND a.released_at IS NULL
  AND a.ends > greatest($4::DATE, '-infinity') AND a.starts < least($5::DATE, 'infinity')
UNION ALL
SELECT a.id, a.room_id, a.starts, a.ends, NOT (a.pinned OR a.occupied), a.room_type_id
FROM reservation.room_allocations a
WHERE a.tenant_id = $1 AND a.property_id = $2 AND a.released_at IS NULL AND a.room_no IS NULL AND a.room_type_id = ANY ($3::TEXT[])
  AND a.ends > greatest($4::DATE, '-infinity') AND a.starts < least($5::DATE, 'infinity')
ORDER BY id
