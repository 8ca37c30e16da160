UPDATE staff.leave_requests SET reason = NULL, decision_note = NULL
WHERE tenant_id = $1 AND staff_id = $2 AND (reason IS NOT NULL OR decision_note IS NOT NULL)
