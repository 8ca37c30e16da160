INSERT INTO housekeeping.tenant_settings (tenant_id, settings, version, updated_at)
VALUES ($1, $2, $3, $4)
