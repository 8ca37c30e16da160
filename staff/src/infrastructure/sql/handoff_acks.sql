SELECT note_id, staff_id, acknowledged_at FROM staff.handoff_acks
WHERE tenant_id = $1 AND note_id = ANY ($2::TEXT[])
ORDER BY acknowledged_at, staff_id
