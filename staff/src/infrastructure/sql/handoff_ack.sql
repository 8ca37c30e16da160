-- Somebody has read it.
INSERT INTO staff.handoff_acks (tenant_id, note_id, staff_id, acknowledged_at) VALUES ($1, $2, $3, $4)
