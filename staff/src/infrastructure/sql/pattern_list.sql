SELECT * FROM staff.shift_patterns
WHERE tenant_id = $1
  AND ($2::TEXT[] IS NULL OR property_id = ANY ($2))
  AND ($3::BOOLEAN IS NULL OR active = $3)
  AND ($4::TEXT IS NULL OR id > $4)
ORDER BY id
LIMIT $5
