-- Maintenance's jobs in a room: those that are open, and the one that is asked for; the caller holds the room's lock.
SELECT work_order_id, blocking, cleared_at FROM housekeeping.maintenance_blocks
WHERE tenant_id = $1 AND (property_id = $2 AND room_id = $3 AND cleared_at IS NULL OR work_order_id = $4)
FOR UPDATE
