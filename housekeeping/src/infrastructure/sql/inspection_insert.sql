INSERT INTO housekeeping.inspections
  (tenant_id, id, task_id, inspector_staff_id, checklist_id, checklist_version, results, outcome, reason, failed_item_keys, performed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
