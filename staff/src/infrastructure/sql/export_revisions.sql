SELECT r.entry_id, r.version, r.occurred_at, r.reason, r.revised_by, r.revised_at
FROM staff.clock_entry_revisions r
JOIN staff.clock_entries e ON e.tenant_id = r.tenant_id AND e.id = r.entry_id
WHERE r.tenant_id = $1 AND e.staff_id = $2
ORDER BY r.revised_at, r.entry_id, r.version
