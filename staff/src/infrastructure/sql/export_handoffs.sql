SELECT * FROM staff.handoff_notes
WHERE tenant_id = $1 AND from_staff_id = $2
ORDER BY created_at DESC, id DESC
LIMIT $3
