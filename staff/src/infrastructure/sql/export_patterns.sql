SELECT * FROM staff.shift_patterns
WHERE tenant_id = $1 AND assignees @> jsonb_build_array(jsonb_build_object('staffId', $2::TEXT))
ORDER BY id
