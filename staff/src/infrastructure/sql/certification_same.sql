-- The papers of one kind that a person holds.
SELECT * FROM staff.certifications
WHERE tenant_id = $1 AND staff_id = $2 AND type = $3 AND status = 'valid'
ORDER BY id
FOR UPDATE
