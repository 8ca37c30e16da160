INSERT INTO staff.clock_entries
  (tenant_id, id, staff_id, property_id, shift_id, kind, occurred_at, recorded_at, source, device_id, client_punch_id,
   from_offline, needs_review, reason, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
