SELECT * FROM staff.handoff_notes WHERE tenant_id = $1 AND id = $2
