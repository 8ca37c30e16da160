-- What is kept of a member of the staff ($2), in these houses ($3) or in all.
SELECT 'profile' AS what, to_jsonb(p) - 'tenant_id' AS kept FROM housekeeping.staff_profiles p
WHERE p.tenant_id = $1 AND p.staff_id = $2
UNION ALL
SELECT 'shift', to_jsonb(s) - 'tenant_id' FROM housekeeping.staff_shift_assignments s
WHERE s.tenant_id = $1 AND s.staff_id = $2 AND ($3::TEXT[] IS NULL OR s.property_id = ANY ($3))
UNION ALL
SELECT 'task', jsonb_build_object('id', t.id, 'property_id', t.property_id, 'room_id', t.room_id, 'kind', t.kind, 'status', t.status,
  'started_at', t.started_at, 'completed_at', t.completed_at, 'note', t.note)
FROM housekeeping.housekeeping_tasks t
WHERE t.tenant_id = $1 AND (t.assignee_staff_id = $2 OR $2 = ANY (t.helper_staff_ids)) AND ($3::TEXT[] IS NULL OR t.property_id = ANY ($3))
UNION ALL
SELECT 'inspection', jsonb_build_object('id', i.id, 'task_id', i.task_id, 'performed_at', i.performed_at, 'outcome', i.outcome)
FROM housekeeping.inspections i WHERE i.tenant_id = $1 AND i.inspector_staff_id = $2
UNION ALL
SELECT 'lost_item', jsonb_build_object('id', l.id, 'property_id', l.property_id, 'recorded_at', l.recorded_at, 'status', l.status)
FROM housekeeping.lost_and_found l
WHERE l.tenant_id = $1 AND (l.finder_staff_id = $2 OR l.matched_by_staff = $2) AND ($3::TEXT[] IS NULL OR l.property_id = ANY ($3))
LIMIT $4
