SELECT shift_id, staff_id FROM staff.shift_assignments WHERE tenant_id = $1 AND id = $2
