SELECT i.id, i.task_id, i.inspector_staff_id, i.outcome, i.reason, i.failed_item_keys, i.performed_at
FROM (SELECT task_id FROM housekeeping.room_status_audit
      WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND cause IN ('inspection_passed', 'inspection_failed')
        AND task_id IS NOT NULL
      ORDER BY flipped_at DESC, id DESC LIMIT 1) AS last
JOIN housekeeping.inspections i ON i.tenant_id = $1 AND i.task_id = last.task_id
ORDER BY i.performed_at DESC, i.id DESC
LIMIT 1
