SELECT id FROM staff.people
WHERE tenant_id = $1 AND employment_ends_at < $2 AND employment_status <> 'terminated'
ORDER BY id
