SELECT * FROM staff.suggestions
WHERE tenant_id = $1 AND property_id = $2 AND status = 'pending'
ORDER BY id
FOR UPDATE
