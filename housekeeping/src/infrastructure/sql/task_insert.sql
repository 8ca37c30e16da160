INSERT INTO housekeeping.housekeeping_tasks (
  tenant_id, id, property_id, room_id, reservation_id, kind, status, priority, checklist_id, checklist_version,
  scheduled_for, locale_hint, source, source_event_id, version, created_at, updated_at,
  estimated_minutes, priority_bumped_at, item_id, retry_of, note)
VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
