INSERT INTO housekeeping.rooms (tenant_id, property_id, room_id, number, floor, section, room_type, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant_id, property_id, room_id) DO UPDATE
SET number = excluded.number, floor = excluded.floor, section = excluded.section, room_type = excluded.room_type
