-- Newest first. With $4 those that hold and run out before that day.
SELECT c.* FROM staff.certifications c
JOIN staff.people p ON p.tenant_id = c.tenant_id AND p.id = c.staff_id
WHERE c.tenant_id = $1
  AND ($2::TEXT[] IS NULL OR p.property_access && $2)
  AND ($3::TEXT IS NULL OR c.staff_id = $3)
  AND ($4::DATE IS NULL OR (c.status = 'valid' AND c.expires_at < $4))
  AND ($5::TEXT[] IS NULL OR c.status = ANY ($5))
  AND ($6::TEXT IS NULL OR c.id < $6)
ORDER BY c.id DESC
LIMIT $7
