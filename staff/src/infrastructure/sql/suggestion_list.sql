-- Newest first.
SELECT * FROM staff.suggestions
WHERE tenant_id = $1
  AND ($2::TEXT[] IS NULL OR property_id = ANY ($2))
  AND ($3::TEXT[] IS NULL OR status = ANY ($3))
  AND ($4::TIMESTAMPTZ IS NULL OR (generated_at, id) < ($4, $5::TEXT))
ORDER BY generated_at DESC, id DESC
LIMIT $6
