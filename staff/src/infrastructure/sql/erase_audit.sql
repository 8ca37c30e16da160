-- Who did what and when stays; who it was about is a number from here on.
UPDATE staff.audit_events a SET payload = a.payload
  - ARRAY['givenName', 'familyName', 'staffCode', 'userId', 'languages', 'skills', 'reason', 'note', 'decisionNote', 'bodyExcerpt']
WHERE a.tenant_id = $1 AND (
  (a.aggregate_kind = 'staff' AND a.aggregate_id = $2)
  OR (a.aggregate_kind = 'clock_entry'
      AND a.aggregate_id IN (SELECT e.id FROM staff.clock_entries e WHERE e.tenant_id = $1 AND e.staff_id = $2))
  OR a.payload ->> 'staffId' = $2
  OR a.payload ->> 'fromStaffId' = $2)
