INSERT INTO housekeeping.tenant_settings (tenant_id, settings, version, updated_at)
VALUES ($1, $2::TEXT::JSONB, 1, $3)
ON CONFLICT (tenant_id) DO UPDATE
SET settings = excluded.settings, version = tenant_settings.version + 1, updated_at = excluded.updated_at
