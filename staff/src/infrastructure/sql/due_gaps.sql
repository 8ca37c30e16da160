-- Shifts that begin soon or are going on.
SELECT id FROM staff.shifts
WHERE tenant_id = $1 AND status IN ('scheduled', 'started') AND starts_at <= $2 AND ends_at > $3
ORDER BY id
