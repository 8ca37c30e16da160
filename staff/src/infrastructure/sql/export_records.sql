-- Where a person ($2) is in what is not their own: what they decided and corrected of others, where they were placed, and the audit. Of each
-- kind the newest, $3 of them; what others are called, and why they were away, is left out.
SELECT 'pin' AS what, jsonb_build_object('set_at', p.set_at) AS kept FROM staff.pins p WHERE p.tenant_id = $1 AND p.staff_id = $2
UNION ALL
SELECT 'tokens_voided', jsonb_build_object('revoked_at', r.revoked_at, 'times', r.generation) FROM staff.token_revocations r
WHERE r.tenant_id = $1 AND r.staff_id = $2
UNION ALL
(SELECT 'assignment', to_jsonb(a) - '{tenant_id,person_no}'::TEXT[] FROM staff.shift_assignments a
WHERE a.tenant_id = $1 AND a.staff_id = $2 ORDER BY a.starts_at DESC LIMIT $3)
UNION ALL
(SELECT 'shift_punched', jsonb_build_object('id', s.id, 'property_id', s.property_id, 'starts_at', s.starts_at,
  'was_first_in', s.first_clock_in_by = $2, 'was_last_out', s.last_clock_out_by = $2) FROM staff.shifts s
WHERE s.tenant_id = $1 AND (s.first_clock_in_by = $2 OR s.last_clock_out_by = $2) ORDER BY s.starts_at DESC LIMIT $3)
UNION ALL
(SELECT 'leave_decided', jsonb_build_object('id', l.id, 'status', l.status, 'decided_by', l.decided_by, 'decided_at', l.decided_at,
  'cancelled_by', l.cancelled_by, 'cancelled_at', l.cancelled_at) FROM staff.leave_requests l
-- Decided by whoever has the login, where they have one.
JOIN staff.people p ON p.tenant_id = l.tenant_id AND p.id = $2
WHERE l.tenant_id = $1 AND (l.decided_by IN (p.id, p.user_id) OR l.cancelled_by IN (p.id, p.user_id)) ORDER BY l.requested_at DESC LIMIT $3)
UNION ALL
(SELECT 'correction_made', jsonb_build_object('entry_id', r.entry_id, 'version', r.version, 'revised_at', r.revised_at)
FROM staff.clock_entry_revisions r
WHERE r.tenant_id = $1 AND r.revised_by ->> 'id' = $2 ORDER BY r.revised_at DESC LIMIT $3)
UNION ALL
(SELECT 'swap_decided', jsonb_build_object('id', s.id, 'status', s.status, 'updated_at', s.updated_at) FROM staff.swap_requests s
WHERE s.tenant_id = $1 AND s.decided_by ->> 'id' = $2 ORDER BY s.updated_at DESC LIMIT $3)
UNION ALL
(SELECT 'suggestion_decided', jsonb_build_object('id', s.id, 'status', s.status, 'decided_at', s.decided_at) FROM staff.suggestions s
WHERE s.tenant_id = $1 AND s.decided_by ->> 'id' = $2 ORDER BY s.generated_at DESC LIMIT $3)
UNION ALL
(SELECT 'history', jsonb_set(to_jsonb(h) - '{tenant_id,id}'::TEXT[], '{payload}', h.payload
  - ARRAY['givenName', 'familyName', 'staffCode', 'userId', 'languages', 'skills', 'reason', 'note', 'decisionNote', 'bodyExcerpt'])
FROM staff.audit_events h
WHERE h.tenant_id = $1 AND NOT (h.aggregate_kind = 'staff' AND h.aggregate_id = $2)
  AND (h.actor ->> 'id' = $2 OR h.aggregate_id = $2 OR strpos(h.payload::TEXT, $2) > 0)
ORDER BY h.id DESC LIMIT $3)
