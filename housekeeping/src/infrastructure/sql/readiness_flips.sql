SELECT room_id, status, flipped_at FROM housekeeping.room_status_audit
WHERE tenant_id = $1 AND property_id = $2 AND flipped_at > $3 AND flipped_at <= $4
ORDER BY flipped_at, id
LIMIT 100000
