-- Which of these exist no more; the caller holds their locks.
SELECT room_id FROM housekeeping.rooms
WHERE tenant_id = $1 AND property_id = $2 AND room_id = ANY ($3) AND archived_at IS NOT NULL
