INSERT INTO staff.pins (tenant_id, staff_id, hash, set_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, staff_id) DO UPDATE SET hash = excluded.hash, set_at = excluded.set_at
