SELECT subject, payload, occurred_at, actor FROM staff.audit_events
WHERE tenant_id = $1 AND aggregate_kind = 'staff' AND aggregate_id = $2
ORDER BY id
LIMIT $3
