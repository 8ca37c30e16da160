SELECT shift_id, property_id FROM housekeeping.shifts WHERE tenant_id = $1 AND shift_id = ANY ($2)
UNION
SELECT shift_id, property_id FROM housekeeping.staff_shift_assignments
WHERE tenant_id = $1 AND shift_id = ANY ($2)
  AND NOT EXISTS (SELECT FROM housekeeping.shifts s WHERE s.tenant_id = $1 AND s.shift_id = staff_shift_assignments.shift_id)
