-- By the type of the room it lies in, else as it was sold. Without days: all that is not over, for whoever moves others aside.
SELECT a.id, a.room_id, lower(a.nights) AS starts, upper(a.nights) AS ends, NOT (a.pinned OR a.occupied) AS movable,
       coalesce(r.room_type_id, a.room_type_id) AS room_type_id
FROM reservation.room_allocations a
LEFT JOIN reservation.rooms r ON r.tenant_id = a.tenant_id AND r.id = a.room_id
WHERE a.tenant_id = $1 AND a.property_id = $2 AND a.released_at IS NULL
  AND upper(a.nights) > coalesce($4::DATE, '-infinity') AND lower(a.nights) < coalesce($5::DATE, 'infinity')
  AND coalesce(r.room_type_id, a.room_type_id) = ANY ($3::TEXT[])
ORDER BY a.id
