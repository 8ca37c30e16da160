INSERT INTO staff.handoff_notes
  (tenant_id, id, property_id, position_id, from_staff_id, from_shift_id, body, attachment_ids, created_at, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
