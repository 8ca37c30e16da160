-- All of them in one statement: rooms can be exchanged.
UPDATE reservation.room_allocations a SET room_id = r.id, room_no = r.room_no
FROM unnest($2::TEXT[], $3::TEXT[]) AS m (id, room_id) JOIN reservation.rooms r ON r.id = m.room_id
WHERE a.tenant_id = $1 AND r.tenant_id = $1 AND a.id = m.id
