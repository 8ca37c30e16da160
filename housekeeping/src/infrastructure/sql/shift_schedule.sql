-- $6: what its people do, told when the shift is new.
WITH window_known AS (
  INSERT INTO housekeeping.shifts AS known (tenant_id, shift_id, property_id, starts_at, ends_at, job)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (tenant_id, shift_id) DO UPDATE
  SET starts_at = excluded.starts_at, ends_at = excluded.ends_at, job = coalesce(excluded.job, known.job)
)
UPDATE housekeeping.staff_shift_assignments SET
  shift_starts_at = $4, shift_ends_at = $5, capacity_minutes = (extract(epoch FROM $5::TIMESTAMPTZ - $4::TIMESTAMPTZ) / 60)::INTEGER,
  job = coalesce($6, job)
WHERE tenant_id = $1 AND shift_id = $2
