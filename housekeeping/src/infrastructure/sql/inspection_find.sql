SELECT id, inspector_staff_id, checklist_id, checklist_version, results, outcome, reason, failed_item_keys, performed_at
FROM housekeeping.inspections
WHERE tenant_id = $1 AND id = $2 AND task_id = $3
