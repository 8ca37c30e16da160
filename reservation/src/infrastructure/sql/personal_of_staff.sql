-- Where a member of the staff ($2) is named, in these houses ($3) or in all: of each kind the newest, $4 of them. What is of a guest is not
-- theirs to have.
(SELECT 'reservation' AS what, jsonb_build_object('id', r.id, 'property_id', r.property_id, 'status', r.status, 'created_at', r.created_at,
  'named_in', (SELECT jsonb_agg(part.key) FROM jsonb_each(r.body) AS part WHERE strpos(part.value::TEXT, $2) > 0)) AS kept
FROM reservation.reservations r
WHERE r.tenant_id = $1 AND strpos(r.body::TEXT, $2) > 0 AND ($3::TEXT[] IS NULL OR r.property_id = ANY ($3))
ORDER BY r.created_at DESC LIMIT $4)
UNION ALL
(SELECT 'fact', jsonb_build_object('reservation_id', f.reservation_id, 'kind', f.kind, 'told_at', f.told_at)
FROM reservation.facts f JOIN reservation.reservations r ON r.tenant_id = f.tenant_id AND r.id = f.reservation_id
WHERE f.tenant_id = $1 AND strpos(f.body::TEXT, $2) > 0 AND ($3 IS NULL OR r.property_id = ANY ($3))
ORDER BY f.told_at DESC LIMIT $4)
UNION ALL
(SELECT 'quote', jsonb_build_object('id', q.id, 'property_id', q.property_id, 'expires_at', q.expires_at) FROM reservation.quotes q
WHERE q.tenant_id = $1 AND strpos(q.body::TEXT, $2) > 0 AND ($3 IS NULL OR q.property_id = ANY ($3))
ORDER BY q.expires_at DESC LIMIT $4)
UNION ALL
(SELECT 'alert', to_jsonb(a) - 'tenant_id' FROM reservation.alerts a
WHERE a.tenant_id = $1 AND a.resolved_by ->> 'id' = $2 AND ($3 IS NULL OR a.property_id = ANY ($3))
ORDER BY a.raised_at DESC LIMIT $4)
UNION ALL
(SELECT 'day_close', to_jsonb(d) - '{tenant_id,figures}'::TEXT[] FROM reservation.day_closes d
WHERE d.tenant_id = $1 AND d.closed_by ->> 'id' = $2 AND ($3 IS NULL OR d.property_id = ANY ($3))
ORDER BY d.closed_at DESC LIMIT $4)
UNION ALL
(SELECT 'history', jsonb_set(to_jsonb(h) - '{tenant_id,id}'::TEXT[], '{payload}',
  (h.payload - ARRAY['freeText', 'note', 'reason']) #- '{after,reason}')
FROM reservation.audit_events h
WHERE h.tenant_id = $1 AND (h.actor ->> 'id' = $2 OR h.aggregate_id = $2 OR strpos(h.payload::TEXT, $2) > 0)
  AND ($3 IS NULL OR regexp_replace(h.payload ->> 'propertyId', '^ppt_', 'prp_') = ANY ($3))
ORDER BY h.id DESC LIMIT $4)
