-- Not those that they moved out of.
SELECT room_id, item_id FROM housekeeping.reservation_occupancy
WHERE tenant_id = $1 AND reservation_id = $2 AND property_id = $3 AND moved_to IS NULL
ORDER BY room_id
