UPDATE housekeeping.rooms SET archived_at = greatest(archived_at, $4)
WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3
