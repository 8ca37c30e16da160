-- The one of a room that waits for an answer; the caller holds the room's lock. The desk, which answers it, holds only this one.
SELECT * FROM housekeeping.discrepancies
WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND resolved_at IS NULL
FOR UPDATE
