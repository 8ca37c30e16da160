SELECT DISTINCT staff_id FROM housekeeping.staff_shift_assignments
WHERE tenant_id = $1 AND property_id = $2 AND ended_at IS NULL
  AND clocked_in_at IS NOT NULL AND (clocked_out_at IS NULL OR clocked_out_at < clocked_in_at)
