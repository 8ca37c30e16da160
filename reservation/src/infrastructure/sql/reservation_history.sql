SELECT event_id, subject, payload, occurred_at, actor FROM reservation.audit_events
WHERE tenant_id = $1 AND aggregate_kind = 'reservation' AND aggregate_id = $2 ORDER BY id
