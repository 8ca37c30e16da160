INSERT INTO staff.shifts
  (tenant_id, id, property_id, position_id, local_date, start_local, end_local, tz, starts_at, ends_at, primary_headcount,
   standby_headcount, break_minutes, note, status, version, created_at, updated_at, pattern_id, pattern_date)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17, $18, $19)
