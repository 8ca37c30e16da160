SELECT note_id, acknowledged_at FROM staff.handoff_acks
WHERE tenant_id = $1 AND staff_id = $2
ORDER BY acknowledged_at DESC, note_id
LIMIT $3
