-- The days that these patterns have a shift for, called off or not.
SELECT pattern_id, pattern_date FROM staff.shifts
WHERE tenant_id = $1 AND pattern_id = ANY ($2::TEXT[]) AND pattern_date BETWEEN $3 AND $4
