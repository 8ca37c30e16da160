-- Without a shift in the message: the shift that they came to last; overtime of up to six hours is still that shift.
UPDATE housekeeping.staff_shift_assignments SET clocked_out_at = greatest(clocked_out_at, $3)
WHERE tenant_id = $1 AND id = (
  SELECT id FROM housekeeping.staff_shift_assignments
  WHERE tenant_id = $1 AND staff_id = $2 AND ended_at IS NULL
    AND $3 >= shift_starts_at - interval '2 hours' AND $3 <= shift_ends_at + interval '6 hours'
  ORDER BY clocked_in_at DESC NULLS LAST, abs(extract(epoch FROM $3 - shift_ends_at)), id
  LIMIT 1)
