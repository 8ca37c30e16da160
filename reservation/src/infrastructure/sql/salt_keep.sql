-- Of two that are the first, one is.
INSERT INTO reservation.tenant_secrets (tenant_id, salt) VALUES ($1, $2) ON CONFLICT (tenant_id) DO NOTHING
