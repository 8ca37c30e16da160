SELECT * FROM bus.webhook_endpoints WHERE tenant_id = $1 AND id = $2
