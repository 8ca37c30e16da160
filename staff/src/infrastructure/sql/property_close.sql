INSERT INTO staff.properties (tenant_id, id, deactivated_at) VALUES ($1, $2, $3)
ON CONFLICT (tenant_id, id) DO UPDATE SET deactivated_at = least(staff.properties.deactivated_at, excluded.deactivated_at)
