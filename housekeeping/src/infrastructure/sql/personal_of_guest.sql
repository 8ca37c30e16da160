-- What is kept under a guest's reservations ($2), in these houses ($3) or in all.
SELECT 'lost_item' AS what, to_jsonb(l) - 'tenant_id' AS kept FROM housekeeping.lost_and_found l
WHERE l.tenant_id = $1 AND l.reservation_id = ANY ($2::TEXT[]) AND ($3::TEXT[] IS NULL OR l.property_id = ANY ($3))
UNION ALL
SELECT 'task', to_jsonb(t) - 'tenant_id' FROM housekeeping.housekeeping_tasks t
WHERE t.tenant_id = $1 AND t.reservation_id = ANY ($2) AND ($3::TEXT[] IS NULL OR t.property_id = ANY ($3))
UNION ALL
SELECT 'stay', to_jsonb(o) - 'tenant_id' FROM housekeeping.reservation_occupancy o
WHERE o.tenant_id = $1 AND o.reservation_id = ANY ($2) AND ($3::TEXT[] IS NULL OR o.property_id = ANY ($3))
UNION ALL
SELECT 'arrival', to_jsonb(a) - 'tenant_id' FROM housekeeping.arrivals a
WHERE a.tenant_id = $1 AND a.reservation_id = ANY ($2) AND ($3::TEXT[] IS NULL OR a.property_id = ANY ($3))
UNION ALL
SELECT 'expected_stay', to_jsonb(e) - 'tenant_id' FROM housekeeping.expected_stays e
WHERE e.tenant_id = $1 AND e.reservation_id = ANY ($2) AND ($3::TEXT[] IS NULL OR e.property_id = ANY ($3))
UNION ALL
(SELECT 'history', to_jsonb(h) - '{tenant_id,id}'::TEXT[] FROM housekeeping.audit_events h
JOIN housekeeping.lost_and_found l ON l.tenant_id = h.tenant_id AND l.id = h.aggregate_id
WHERE h.tenant_id = $1 AND h.aggregate_kind = 'lost_item' AND l.reservation_id = ANY ($2)
  AND ($3::TEXT[] IS NULL OR l.property_id = ANY ($3)) ORDER BY h.id)
LIMIT $4
