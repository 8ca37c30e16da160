INSERT INTO housekeeping.planning_requests AS known (tenant_id, property_id, reason, asked_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, property_id) DO UPDATE
SET reason = excluded.reason, asked_at = excluded.asked_at, asked = known.asked + 1
