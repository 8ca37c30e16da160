SELECT * FROM housekeeping.room_blocks
WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND id = $4
