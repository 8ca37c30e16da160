-- Without a shift in the message: the shift of theirs that they come to. The one that goes on at that moment, with an hour before
-- it; of two, the one whose beginning is nearer; with none, one that is two hours off at most. Tomorrow's is not meant.
UPDATE housekeeping.staff_shift_assignments SET clocked_in_at = greatest(clocked_in_at, $3)
WHERE tenant_id = $1 AND id = (
  SELECT id FROM housekeeping.staff_shift_assignments
  WHERE tenant_id = $1 AND staff_id = $2 AND ended_at IS NULL
    AND $3 >= shift_starts_at - interval '2 hours' AND $3 <= shift_ends_at + interval '2 hours'
  ORDER BY ($3 >= shift_starts_at - interval '1 hour' AND $3 < shift_ends_at) DESC,
           abs(extract(epoch FROM $3 - shift_starts_at)), id
  LIMIT 1)
