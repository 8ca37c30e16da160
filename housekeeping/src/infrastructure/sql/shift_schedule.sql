WITH window_known AS (
  INSERT INTO housekeeping.shifts (tenant_id, shift_id, property_id, starts_at, ends_at)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (tenant_id, shift_id) DO UPDATE SET starts_at = excluded.starts_at, ends_at = excluded.ends_at
)
UPDATE housekeeping.staff_shift_assignments SET
  shift_starts_at = $4, shift_ends_at = $5, capacity_minutes = (extract(epoch FROM $5::TIMESTAMPTZ - $4::TIMESTAMPTZ) / 60)::INTEGER
WHERE tenant_id = $1 AND shift_id = $2
