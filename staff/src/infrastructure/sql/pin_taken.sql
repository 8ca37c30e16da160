INSERT INTO staff.pin_sources (tenant_id, source, staff_id, taken_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, source, staff_id) DO UPDATE SET taken_at = excluded.taken_at
