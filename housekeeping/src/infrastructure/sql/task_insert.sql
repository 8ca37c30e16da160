-- The estimate is what was learned for this kind of work in this type of room; else what the tenant has said for the two; else $17.
INSERT INTO housekeeping.housekeeping_tasks (
  tenant_id, id, property_id, room_id, reservation_id, kind, status, priority, checklist_id, checklist_version,
  scheduled_for, locale_hint, source, source_event_id, version, created_at, updated_at,
  estimated_minutes, priority_bumped_at, item_id, retry_of, note)
VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
  coalesce((
    SELECT coalesce(l.minutes, (s.settings -> 'estimatedMinutes' ->> ($6::TEXT || ':' || m.room_type))::INTEGER)
    FROM (SELECT) AS here
    LEFT JOIN housekeeping.rooms m ON m.tenant_id = $1 AND m.property_id = $3 AND m.room_id = $4
    LEFT JOIN housekeeping.learned_minutes l
      ON l.tenant_id = $1 AND l.property_id = $3 AND l.kind = $6 AND l.room_type = coalesce(m.room_type, '')
    LEFT JOIN housekeeping.tenant_settings s ON s.tenant_id = $1), $17),
  $18, $19, $20, $21)
