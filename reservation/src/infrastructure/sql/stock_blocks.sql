SELECT b.room_id, b.starts, b.ends, r.room_type_id
FROM reservation.room_blocks b JOIN reservation.rooms r ON r.tenant_id = b.tenant_id AND r.id = b.room_id
WHERE b.tenant_id = $1 AND b.lifted_at IS NULL AND r.room_type_id = ANY ($2::TEXT[])
  AND (b.ends IS NULL OR b.ends > greatest($3::DATE, '-infinity'))
ORDER BY b.id
