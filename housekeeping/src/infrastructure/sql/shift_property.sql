SELECT property_id FROM housekeeping.shifts WHERE tenant_id = $1 AND shift_id = ANY ($2)
UNION ALL
SELECT property_id FROM housekeeping.staff_shift_assignments WHERE tenant_id = $1 AND shift_id = ANY ($2)
LIMIT 1
