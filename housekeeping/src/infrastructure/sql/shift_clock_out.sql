UPDATE housekeeping.staff_shift_assignments SET clocked_in_at = NULL
WHERE tenant_id = $1 AND staff_id = $2 AND ended_at IS NULL AND ($3::TEXT IS NULL OR shift_id = $3)
