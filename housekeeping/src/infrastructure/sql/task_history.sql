SELECT event_id, subject, payload, occurred_at, actor
FROM housekeeping.audit_events
WHERE tenant_id = $1 AND aggregate_kind = 'task' AND aggregate_id = $2
ORDER BY occurred_at, id
LIMIT 1000
