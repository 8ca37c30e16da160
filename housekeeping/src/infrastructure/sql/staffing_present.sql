SELECT property_id, shift_id, capacity_minutes, shift_ends_at, coalesce(job, 'cleaning') AS job
FROM housekeeping.staff_shift_assignments
WHERE tenant_id = $1 AND ended_at IS NULL AND clocked_in_at IS NOT NULL
  AND (clocked_out_at IS NULL OR clocked_out_at < clocked_in_at) AND shift_ends_at > $2
