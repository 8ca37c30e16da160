-- In the order of their ids, so that no two wait for each other.
SELECT * FROM staff.certifications
WHERE tenant_id = $1 AND status = 'valid' AND expires_at <= $2
ORDER BY id
LIMIT $3
FOR UPDATE
