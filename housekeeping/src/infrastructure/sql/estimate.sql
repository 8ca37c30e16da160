-- The same rule as in task_insert.sql, for whoever wants to know before.
SELECT coalesce(l.minutes, (s.settings -> 'estimatedMinutes' ->> ($4::TEXT || ':' || m.room_type))::INTEGER) AS minutes
FROM (SELECT) AS here
LEFT JOIN housekeeping.rooms m ON m.tenant_id = $1 AND m.property_id = $2 AND m.room_id = $3
LEFT JOIN housekeeping.learned_minutes l
  ON l.tenant_id = $1 AND l.property_id = $2 AND l.kind = $4 AND l.room_type = coalesce(m.room_type, '')
LEFT JOIN housekeeping.tenant_settings s ON s.tenant_id = $1
