SELECT DISTINCT property_id FROM reservation.room_types WHERE tenant_id = $1 ORDER BY property_id
