-- A window that was moved is told again, with a later version ($7); an older one that comes late changes nothing. $6: what its people do,
-- told when the shift is new. People whose place was told first learn the house and the window with it.
WITH known AS (
  INSERT INTO housekeeping.shifts AS known (tenant_id, shift_id, property_id, starts_at, ends_at, job, told_version)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (tenant_id, shift_id) DO UPDATE SET
    property_id = CASE WHEN excluded.told_version >= known.told_version THEN excluded.property_id ELSE known.property_id END,
    starts_at = CASE WHEN excluded.told_version >= known.told_version THEN excluded.starts_at ELSE known.starts_at END,
    ends_at = CASE WHEN excluded.told_version >= known.told_version THEN excluded.ends_at ELSE known.ends_at END,
    job = CASE WHEN excluded.told_version >= known.told_version THEN coalesce(excluded.job, known.job)
               ELSE coalesce(known.job, excluded.job) END,
    told_version = greatest(known.told_version, excluded.told_version)
  RETURNING property_id, starts_at, ends_at, job
)
UPDATE housekeeping.staff_shift_assignments a SET
  property_id = k.property_id, shift_starts_at = k.starts_at, shift_ends_at = k.ends_at,
  capacity_minutes = (extract(epoch FROM k.ends_at - k.starts_at) / 60)::INTEGER, job = coalesce(k.job, a.job)
FROM known k
WHERE a.tenant_id = $1 AND a.shift_id = $2
