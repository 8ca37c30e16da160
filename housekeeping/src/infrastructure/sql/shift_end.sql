-- A shift that is over stays over, also when its window is told later.
WITH over AS (
  INSERT INTO housekeeping.shifts (tenant_id, shift_id, property_id, ended_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (tenant_id, shift_id) DO UPDATE SET ended_at = excluded.ended_at
)
UPDATE housekeeping.staff_shift_assignments SET ended_at = $4
WHERE tenant_id = $1 AND shift_id = $2 AND ended_at IS NULL
