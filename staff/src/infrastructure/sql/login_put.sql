INSERT INTO staff.logins (tenant_id, user_id, registered_at, member_at, removed_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, user_id) DO UPDATE SET
  registered_at = excluded.registered_at, member_at = excluded.member_at, removed_at = excluded.removed_at
