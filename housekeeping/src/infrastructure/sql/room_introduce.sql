-- What is not told stays as it was, and what was told later counts. Told after the room ceased to exist, it exists again.
INSERT INTO housekeeping.rooms AS known
  (tenant_id, property_id, room_id, number, floor, section, room_type, created_at, introduced_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
ON CONFLICT (tenant_id, property_id, room_id) DO UPDATE SET
  number = CASE WHEN known.introduced_at > $8 THEN coalesce(known.number, excluded.number)
                ELSE coalesce(excluded.number, known.number) END,
  floor = CASE WHEN known.introduced_at > $8 THEN coalesce(known.floor, excluded.floor)
               ELSE coalesce(excluded.floor, known.floor) END,
  section = CASE WHEN known.introduced_at > $8 THEN coalesce(known.section, excluded.section)
                 ELSE coalesce(excluded.section, known.section) END,
  room_type = CASE WHEN known.introduced_at > $8 THEN coalesce(known.room_type, excluded.room_type)
                   ELSE coalesce(excluded.room_type, known.room_type) END,
  archived_at = CASE WHEN known.archived_at < $8 THEN NULL ELSE known.archived_at END,
  introduced_at = greatest(known.introduced_at, excluded.introduced_at)
