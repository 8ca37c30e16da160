INSERT INTO staff.token_revocations (tenant_id, staff_id, generation, revoked_at) VALUES ($1, $2, 1, $3)
ON CONFLICT (tenant_id, staff_id) DO UPDATE
SET generation = staff.token_revocations.generation + 1, revoked_at = excluded.revoked_at
