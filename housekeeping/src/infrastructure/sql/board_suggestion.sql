SELECT * FROM housekeeping.routing_suggestions
WHERE tenant_id = $1 AND property_id = $2 AND status = 'pending'
ORDER BY generated_at DESC, id DESC
LIMIT 1
