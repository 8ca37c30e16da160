-- When it was last said that there is such a room, and when that there is none; the caller holds the room's lock.
SELECT introduced_at, archived_at FROM housekeeping.rooms WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3
