SELECT registered_at, member_at, removed_at FROM staff.logins WHERE tenant_id = $1 AND user_id = $2
