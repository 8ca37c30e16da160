-- And those that a newer one has followed. In the order of their ids, so that no two wait for each other.
SELECT c.* FROM staff.certifications c
WHERE c.tenant_id = $1 AND c.status = 'valid' AND (c.expires_at <= $2 OR EXISTS (
  SELECT 1 FROM staff.certifications newer
  WHERE newer.tenant_id = $1 AND newer.staff_id = c.staff_id AND newer.type = c.type AND newer.status = 'valid'
    AND newer.issued_at > c.issued_at AND newer.issued_at <= $2))
ORDER BY c.id
LIMIT $3
FOR UPDATE
