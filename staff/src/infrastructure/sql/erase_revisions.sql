UPDATE staff.clock_entry_revisions r SET reason = ''
FROM staff.clock_entries e
WHERE r.tenant_id = $1 AND e.tenant_id = $1 AND e.id = r.entry_id AND e.staff_id = $2 AND r.reason <> ''
