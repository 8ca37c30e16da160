-- In the order of their ids: every writer locks rooms in this order.
SELECT * FROM housekeeping.room_status
WHERE tenant_id = $1 AND property_id = $2 AND room_id = ANY ($3)
ORDER BY room_id
FOR UPDATE
