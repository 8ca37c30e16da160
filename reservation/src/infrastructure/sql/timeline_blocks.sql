SELECT b.id, b.room_id, b.starts, b.ends, b.reason
FROM reservation.room_blocks b JOIN reservation.rooms r ON r.tenant_id = b.tenant_id AND r.id = b.room_id
WHERE b.tenant_id = $1 AND r.property_id = $2 AND b.lifted_at IS NULL AND (b.ends IS NULL OR b.ends > $3) AND b.starts < $4
ORDER BY b.starts, b.id
