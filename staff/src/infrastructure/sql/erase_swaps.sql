UPDATE staff.swap_requests SET note = NULL
WHERE tenant_id = $1 AND (left_staff_id = $2 OR right_staff_id = $2) AND note IS NOT NULL
