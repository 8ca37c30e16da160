SELECT * FROM staff.leave_requests WHERE tenant_id = $1 AND id = $2
