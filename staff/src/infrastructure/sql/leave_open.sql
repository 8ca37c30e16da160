SELECT * FROM staff.leave_requests
WHERE tenant_id = $1 AND staff_id = $2 AND status = 'requested'
ORDER BY id
FOR UPDATE
