INSERT INTO housekeeping.loose_punches (tenant_id, staff_id, kind, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING
