-- What is not told stays as it was. Told after the room ceased to exist, it exists again.
INSERT INTO housekeeping.rooms AS known (tenant_id, property_id, room_id, number, floor, section, room_type, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant_id, property_id, room_id) DO UPDATE SET
  number = coalesce(excluded.number, known.number), floor = coalesce(excluded.floor, known.floor),
  section = coalesce(excluded.section, known.section), room_type = coalesce(excluded.room_type, known.room_type),
  archived_at = CASE WHEN known.archived_at < $8 THEN NULL ELSE known.archived_at END
