INSERT INTO staff.shift_patterns
  (tenant_id, id, property_id, position_id, name, start_local, end_local, days_of_week, cycle, valid_from, valid_to,
   primary_headcount, standby_headcount, break_minutes, assignees, active, version, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)
