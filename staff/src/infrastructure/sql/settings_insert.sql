INSERT INTO staff.settings (tenant_id, property_id, settings, version, updated_at)
VALUES ($1, coalesce($2::TEXT, ''), $3, $4, $5)
