SELECT b.id, b.room_id, b.starts, b.ends, b.reason, b.version, r.property_id, r.room_type_id
FROM reservation.room_blocks b JOIN reservation.rooms r ON r.tenant_id = b.tenant_id AND r.id = b.room_id
WHERE b.tenant_id = $1 AND b.id = $2 AND b.room_id = $3 AND b.lifted_at IS NULL
