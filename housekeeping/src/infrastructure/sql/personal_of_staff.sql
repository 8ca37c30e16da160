-- What is kept of a member of the staff ($2), in these houses ($3) or in all: of each kind the newest, $4 of them. What is of no house is for
-- those who ask for all. Of what others are named in, others' names are left out.
SELECT 'profile' AS what, to_jsonb(p) - 'tenant_id' AS kept FROM housekeeping.staff_profiles p
WHERE p.tenant_id = $1 AND p.staff_id = $2
UNION ALL
(SELECT 'shift', to_jsonb(s) - 'tenant_id' FROM housekeeping.staff_shift_assignments s
WHERE s.tenant_id = $1 AND s.staff_id = $2 AND ($3::TEXT[] IS NULL OR s.property_id = ANY ($3))
ORDER BY s.shift_starts_at DESC LIMIT $4)
UNION ALL
(SELECT 'punch', to_jsonb(p) - 'tenant_id' FROM housekeeping.loose_punches p
WHERE p.tenant_id = $1 AND p.staff_id = $2 AND $3 IS NULL ORDER BY p.at DESC LIMIT $4)
UNION ALL
(SELECT 'task', jsonb_build_object('id', t.id, 'property_id', t.property_id, 'room_id', t.room_id, 'kind', t.kind, 'status', t.status,
  'started_at', t.started_at, 'completed_at', t.completed_at, 'note', t.note, 'is_helper', $2 = ANY (t.helper_staff_ids),
  'escalated_to', t.escalated_to, 'escalation_reason', t.escalation_reason)
FROM housekeeping.housekeeping_tasks t
WHERE t.tenant_id = $1 AND (t.assignee_staff_id = $2 OR $2 = ANY (t.helper_staff_ids) OR t.escalated_to ->> 'staffId' = $2)
  AND ($3 IS NULL OR t.property_id = ANY ($3))
ORDER BY t.created_at DESC LIMIT $4)
UNION ALL
(SELECT 'inspection', jsonb_build_object('id', i.id, 'task_id', i.task_id, 'performed_at', i.performed_at, 'outcome', i.outcome)
FROM housekeeping.inspections i
WHERE i.tenant_id = $1 AND i.inspector_staff_id = $2 AND ($3 IS NULL OR EXISTS (
  SELECT FROM housekeeping.housekeeping_tasks t WHERE t.tenant_id = $1 AND t.id = i.task_id AND t.property_id = ANY ($3)))
ORDER BY i.performed_at DESC LIMIT $4)
UNION ALL
(SELECT 'lost_item', jsonb_build_object('id', l.id, 'property_id', l.property_id, 'recorded_at', l.recorded_at, 'status', l.status)
FROM housekeeping.lost_and_found l
WHERE l.tenant_id = $1 AND (l.finder_staff_id = $2 OR l.matched_by_staff = $2) AND ($3 IS NULL OR l.property_id = ANY ($3))
ORDER BY l.recorded_at DESC LIMIT $4)
UNION ALL
(SELECT 'room_status', to_jsonb(r) - 'tenant_id' FROM housekeeping.room_status r
WHERE r.tenant_id = $1 AND r.last_flipped_by ->> 'id' = $2 AND ($3 IS NULL OR r.property_id = ANY ($3))
ORDER BY r.last_flipped_at DESC LIMIT $4)
UNION ALL
(SELECT 'room_status_change', to_jsonb(r) - 'tenant_id' FROM housekeeping.room_status_audit r
WHERE r.tenant_id = $1 AND r.flipped_by ->> 'id' = $2 AND ($3 IS NULL OR r.property_id = ANY ($3))
ORDER BY r.flipped_at DESC LIMIT $4)
UNION ALL
(SELECT 'linen_movement', to_jsonb(m) - 'tenant_id' FROM housekeeping.linen_movements m
JOIN housekeeping.linen_inventory l ON l.tenant_id = m.tenant_id AND l.id = m.line_id
WHERE m.tenant_id = $1 AND m.actor ->> 'id' = $2 AND ($3 IS NULL OR l.property_id = ANY ($3))
ORDER BY m.occurred_at DESC LIMIT $4)
UNION ALL
(SELECT 'discrepancy', to_jsonb(d) - 'tenant_id' FROM housekeeping.discrepancies d
WHERE d.tenant_id = $1 AND (d.observed_by ->> 'id' = $2 OR d.resolved_by ->> 'id' = $2) AND ($3 IS NULL OR d.property_id = ANY ($3))
ORDER BY d.observed_at DESC LIMIT $4)
UNION ALL
(SELECT 'suggestion', jsonb_build_object('id', s.id, 'property_id', s.property_id, 'generated_at', s.generated_at, 'status', s.status,
  'decided_by', s.decided_by, 'decided_at', s.decided_at,
  'rows', (SELECT coalesce(jsonb_agg(r.one), '[]') FROM jsonb_array_elements(s.rows) AS r (one) WHERE strpos(r.one::TEXT, $2) > 0),
  'moved', (SELECT coalesce(jsonb_agg(m.one), '[]') FROM jsonb_array_elements(s.moved) AS m (one) WHERE strpos(m.one::TEXT, $2) > 0),
  'unassigned', (SELECT coalesce(jsonb_agg(u.one), '[]') FROM jsonb_array_elements(s.unassigned) AS u (one) WHERE strpos(u.one::TEXT, $2) > 0))
FROM housekeeping.routing_suggestions s
WHERE s.tenant_id = $1 AND ($3 IS NULL OR s.property_id = ANY ($3))
  AND (s.decided_by ->> 'id' = $2 OR strpos(s.rows::TEXT, $2) > 0 OR strpos(s.moved::TEXT, $2) > 0 OR strpos(s.unassigned::TEXT, $2) > 0)
ORDER BY s.generated_at DESC LIMIT $4)
UNION ALL
(SELECT 'photo', to_jsonb(m) - '{tenant_id,content}'::TEXT[] FROM (
  SELECT id, property_id, content_type, octet_length(content) AS bytes, kept_by, created_at FROM housekeeping.media
  WHERE tenant_id = $1 AND kept_by ->> 'id' = $2 AND ($3 IS NULL OR property_id = ANY ($3)) ORDER BY created_at DESC LIMIT $4) AS m)
UNION ALL
(SELECT 'checklist', jsonb_build_object('id', c.id, 'kind', c.kind, 'version', c.version, 'published_at', c.published_at, 'published_by', c.published_by)
FROM housekeeping.cleaning_checklists c
WHERE c.tenant_id = $1 AND c.published_by ->> 'id' = $2 AND $3 IS NULL ORDER BY c.published_at DESC LIMIT $4)
UNION ALL
(SELECT 'history', jsonb_set(to_jsonb(h) - '{tenant_id,id}'::TEXT[], '{payload}', h.payload - ARRAY['claimantName', 'claimantPhone'])
FROM housekeeping.audit_events h
WHERE h.tenant_id = $1 AND (h.actor ->> 'id' = $2 OR h.aggregate_id = $2 OR strpos(h.payload::TEXT, $2) > 0)
  AND ($3 IS NULL OR regexp_replace(h.payload ->> 'propertyId', '^ppt_', 'prp_') = ANY ($3))
ORDER BY h.id DESC LIMIT $4)
