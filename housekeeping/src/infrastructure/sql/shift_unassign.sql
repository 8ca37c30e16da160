UPDATE housekeeping.staff_shift_assignments SET ended_at = $4
WHERE tenant_id = $1 AND shift_id = $2 AND staff_id = $3 AND ended_at IS NULL
