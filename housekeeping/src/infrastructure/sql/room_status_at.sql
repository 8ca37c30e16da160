-- The last step by then, or else what the first step after it began with.
(SELECT status FROM housekeeping.room_status_audit
 WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND flipped_at <= $4
 ORDER BY flipped_at DESC, id DESC LIMIT 1)
UNION ALL
(SELECT previous_status FROM housekeeping.room_status_audit
 WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND flipped_at > $4
 ORDER BY flipped_at, id LIMIT 1)
LIMIT 1
