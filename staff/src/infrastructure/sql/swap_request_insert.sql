INSERT INTO staff.swap_requests
  (tenant_id, id, left_assignment_id, right_assignment_id, left_shift_id, right_shift_id, left_staff_id, right_staff_id,
   left_property_id, right_property_id, note, status, created_at, updated_at, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14)
