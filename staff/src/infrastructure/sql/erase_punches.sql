UPDATE staff.clock_entries SET reason = NULL, reviewed_note = NULL
WHERE tenant_id = $1 AND staff_id = $2 AND (reason IS NOT NULL OR reviewed_note IS NOT NULL)
