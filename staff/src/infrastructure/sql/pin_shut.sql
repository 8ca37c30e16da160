-- Until when any of them is shut: asked by whoever was counted in none because another was quicker.
SELECT max(shut_until) AS shut_until FROM staff.pin_attempts
WHERE tenant_id = $1 AND scope = ANY ($2::TEXT[]) AND shut_until > $3
