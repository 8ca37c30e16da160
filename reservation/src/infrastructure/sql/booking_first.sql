-- What a new booking asks before it looks at rooms, a row for each thing: how the house works as house.sql tells it, the tenant's salt, and
-- whose code it is that was drawn. One question: each costs PostgreSQL about as much to begin and to end as to answer.
SELECT 'set' AS what, s.property_id, s."values", s.said_at, s.version, NULL::TEXT AS told
FROM reservation.settings s WHERE s.tenant_id = $1 AND s.property_id IN ('', $2)
UNION ALL
SELECT 'policy', p.version, p.policy, '{}', 0, NULL FROM reservation.cancellation_policies p WHERE p.tenant_id = $1
UNION ALL
SELECT 'closed', c.property_id, '{}', '{}', 0, NULL FROM reservation.closed_houses c WHERE c.tenant_id = $1 AND c.property_id = $2
UNION ALL
SELECT 'salt', NULL, '{}', '{}', 0, t.salt FROM reservation.tenant_secrets t WHERE t.tenant_id = $1
UNION ALL
SELECT 'code', NULL, '{}', '{}', 0, r.id FROM reservation.reservations r WHERE r.tenant_id = $1 AND r.code = $3
