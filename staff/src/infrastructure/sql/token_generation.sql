SELECT coalesce(
  (SELECT generation FROM staff.token_revocations WHERE tenant_id = $1 AND staff_id = $2), 0) AS generation
