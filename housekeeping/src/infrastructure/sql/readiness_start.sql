-- Every room with its status when a day began: the last step by then, else what the first step after it began with, else as it is. A room
-- that had ceased to exist by then is none.
SELECT r.room_id, coalesce(before.status, after.previous_status, r.status) AS status
FROM housekeeping.room_status r
LEFT JOIN housekeeping.rooms m ON m.tenant_id = r.tenant_id AND m.property_id = r.property_id AND m.room_id = r.room_id
LEFT JOIN LATERAL (
  SELECT status FROM housekeeping.room_status_audit a
  WHERE a.tenant_id = $1 AND a.property_id = $2 AND a.room_id = r.room_id AND a.flipped_at <= $3
  ORDER BY a.flipped_at DESC, a.id DESC LIMIT 1) before ON true
LEFT JOIN LATERAL (
  SELECT previous_status FROM housekeeping.room_status_audit a
  WHERE a.tenant_id = $1 AND a.property_id = $2 AND a.room_id = r.room_id AND a.flipped_at > $3
  ORDER BY a.flipped_at, a.id LIMIT 1) after ON true
WHERE r.tenant_id = $1 AND r.property_id = $2 AND (m.archived_at IS NULL OR m.archived_at > $3)
LIMIT 5000
