-- It begins behind what is in the log now.
INSERT INTO bus.webhook_endpoints
  (id, tenant_id, url, description, subjects, state, key_now, planned_up_to, version, created_at, updated_at)
VALUES ($2, $1, $3, $4, $5, 'active', $6, (SELECT coalesce(max(log_offset), 0) FROM bus.event_log WHERE tenant_id = $1), 1, $7, $7)
