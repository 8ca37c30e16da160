-- The room is no more: nothing is repaired in it.
UPDATE housekeeping.maintenance_blocks SET cleared_at = $4
WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND cleared_at IS NULL
