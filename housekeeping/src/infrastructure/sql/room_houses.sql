SELECT DISTINCT property_id FROM housekeeping.room_status
WHERE tenant_id = $1
ORDER BY property_id
