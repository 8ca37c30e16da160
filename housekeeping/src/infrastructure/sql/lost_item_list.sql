SELECT * FROM housekeeping.lost_and_found
WHERE tenant_id = $1
  AND ($2::TEXT[] IS NULL OR property_id = ANY ($2))
  AND ($3::TEXT[] IS NULL OR status = ANY ($3))
  AND ($4::TEXT IS NULL OR id < $4)
ORDER BY id DESC
LIMIT $5
