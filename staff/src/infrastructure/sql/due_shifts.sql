-- Shifts whose time is over and that have not ended, after one of them.
SELECT id, ends_at FROM staff.shifts
WHERE tenant_id = $1 AND status IN ('scheduled', 'started') AND ends_at <= $2
  AND ($3::TIMESTAMPTZ IS NULL OR (ends_at, id) > ($3, $4::TEXT))
ORDER BY ends_at, id
LIMIT $5
