UPDATE bus.webhook_endpoints
SET url = $3, description = $4, subjects = $5, state = $6, paused_because = $7, failing_since = $13, key_now = $8, key_before = $9,
    key_before_until = $10, keys_older = $11, version = version + 1, updated_at = $12
WHERE tenant_id = $1 AND id = $2
