SELECT * FROM bus.webhook_endpoints WHERE tenant_id = $1 ORDER BY id LIMIT 1000
