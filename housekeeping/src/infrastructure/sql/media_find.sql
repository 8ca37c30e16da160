SELECT id, property_id, content, created_at FROM housekeeping.media WHERE tenant_id = $1 AND id = $2
