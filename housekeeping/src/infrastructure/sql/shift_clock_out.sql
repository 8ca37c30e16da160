-- Without a shift in the message: the shift the person is assigned to.
UPDATE housekeeping.staff_shift_assignments SET clocked_out_at = greatest(clocked_out_at, $3)
WHERE tenant_id = $1 AND staff_id = $2 AND ended_at IS NULL
