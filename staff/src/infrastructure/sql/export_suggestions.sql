SELECT * FROM staff.suggestions
WHERE tenant_id = $1 AND rows @> jsonb_build_array(jsonb_build_object('staffId', $2::TEXT))
ORDER BY generated_at DESC, id DESC
LIMIT $3
