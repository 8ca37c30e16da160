-- Rooms and nights of many in one statement: rooms can be exchanged. No room: sold beyond what there is.
UPDATE reservation.room_allocations a
SET room_id = m.room_id, room_no = r.room_no, nights = daterange(m.starts, m.ends), pinned = m.pinned
FROM unnest($2::TEXT[], $3::TEXT[], $4::DATE[], $5::DATE[], $6::BOOLEAN[]) AS m (id, room_id, starts, ends, pinned)
LEFT JOIN reservation.rooms r ON r.tenant_id = $1 AND r.id = m.room_id
WHERE a.tenant_id = $1 AND a.id = m.id
