-- Newest first. With $4 those that hold and run out before that day, with no newer one to hold from then on.
SELECT c.* FROM staff.certifications c
JOIN staff.people p ON p.tenant_id = c.tenant_id AND p.id = c.staff_id
WHERE c.tenant_id = $1
  AND ($2::TEXT[] IS NULL OR p.property_access && $2)
  AND ($3::TEXT IS NULL OR c.staff_id = $3)
  AND ($4::DATE IS NULL OR (c.status = 'valid' AND c.expires_at < $4 AND NOT EXISTS (
    SELECT 1 FROM staff.certifications newer
    WHERE newer.tenant_id = $1 AND newer.staff_id = c.staff_id AND newer.type = c.type AND newer.status = 'valid'
      AND newer.issued_at > c.issued_at AND newer.issued_at <= c.expires_at
      AND (newer.expires_at IS NULL OR newer.expires_at > c.expires_at))))
  AND ($5::TEXT[] IS NULL OR c.status = ANY ($5))
  AND ($6::TEXT IS NULL OR c.id < $6)
ORDER BY c.id DESC
LIMIT $7
