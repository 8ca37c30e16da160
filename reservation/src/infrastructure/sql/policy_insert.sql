INSERT INTO reservation.cancellation_policies (tenant_id, version, policy, created_at) VALUES ($1, $2, $3, $4)
