-- One more piece of work, and how long it took.
INSERT INTO housekeeping.learned_minutes AS l (tenant_id, property_id, kind, room_type, latest)
SELECT $1, $2, $4, coalesce((SELECT m.room_type FROM housekeeping.rooms m
                             WHERE m.tenant_id = $1 AND m.property_id = $2 AND m.room_id = $3), ''), ARRAY[$5::INTEGER]
ON CONFLICT (tenant_id, property_id, kind, room_type) DO UPDATE
SET latest = (excluded.latest || l.latest)[1:50], minutes = housekeeping.median_of((excluded.latest || l.latest)[1:50])
