-- A reservation with all that lies beside it, its guest, and how its house works, for whoever is about to change it: one question, whose rows
-- say what they are (`stay`: the reservation; the others as house.sql tells them). It is locked by the statement before this one.
WITH stay AS MATERIALIZED (
  SELECT r.id, r.property_id, r.guest_id, r.body, r.version FROM reservation.reservations r WHERE r.tenant_id = $1 AND r.id = $2
)
SELECT 'stay' AS what, s.property_id, NULL::JSONB AS "values", NULL::JSONB AS said_at, s.version, s.body,
  coalesce((SELECT jsonb_agg(jsonb_build_object('item', a.item_id, 'allocation', a.id, 'room', a.room_id, 'pinned', a.pinned,
            'released', a.released_at IS NOT NULL) ORDER BY a.id)
          FROM reservation.room_allocations a
          WHERE a.tenant_id = $1 AND a.reservation_id = s.id), '[]') AS places,
  coalesce((SELECT jsonb_agg(jsonb_build_array(f.key, f.body,
            to_char(f.told_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY f.seq) FROM reservation.facts f
            WHERE f.tenant_id = $1 AND f.reservation_id = s.id), '[]') AS facts,
  g.id, g.name, g.email, g.phone, g.locale, g.email_hash, g.phone_hash
FROM stay s LEFT JOIN reservation.guests g ON g.tenant_id = $1 AND g.id = s.guest_id
UNION ALL
SELECT 'set', s.property_id, s."values", s.said_at, s.version, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM reservation.settings s WHERE s.tenant_id = $1 AND s.property_id IN ('', (SELECT property_id FROM stay))
UNION ALL
SELECT 'policy', p.version, p.policy, '{}', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM reservation.cancellation_policies p WHERE p.tenant_id = $1
UNION ALL
SELECT 'closed', c.property_id, '{}', '{}', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM reservation.closed_houses c WHERE c.tenant_id = $1 AND c.property_id = (SELECT property_id FROM stay)
