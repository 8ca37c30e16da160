-- Everything that is kept of a guest, row by row as it is kept, in these houses ($3) or in all.
WITH own AS MATERIALIZED (
  SELECT id FROM reservation.reservations
  WHERE tenant_id = $1 AND guest_id = $2 AND ($3::TEXT[] IS NULL OR property_id = ANY ($3)))
SELECT 'guest' AS what, to_jsonb(g) - 'tenant_id' AS kept FROM reservation.guests g WHERE g.tenant_id = $1 AND g.id = $2
UNION ALL
(SELECT 'reservation', to_jsonb(r) - 'tenant_id' FROM reservation.reservations r
WHERE r.tenant_id = $1 AND r.id IN (SELECT id FROM own) ORDER BY r.id)
UNION ALL
(SELECT 'room', to_jsonb(a) - 'tenant_id' FROM reservation.room_allocations a
WHERE a.tenant_id = $1 AND a.reservation_id IN (SELECT id FROM own) ORDER BY a.id)
UNION ALL
(SELECT 'fact', to_jsonb(f) - 'tenant_id' FROM reservation.facts f
WHERE f.tenant_id = $1 AND f.reservation_id IN (SELECT id FROM own) ORDER BY f.seq)
UNION ALL
(SELECT 'history', to_jsonb(h) - '{tenant_id,id}'::TEXT[] FROM reservation.audit_events h
WHERE h.tenant_id = $1 AND (h.aggregate_kind = 'guest' AND h.aggregate_id = $2
  OR h.aggregate_kind = 'reservation' AND h.aggregate_id IN (SELECT id FROM own)) ORDER BY h.id)
