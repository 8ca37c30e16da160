-- How a house works, a row for each thing that was said of it: what the tenant and the house set, every policy, and that nobody books it any
-- more. The house is named, or it is the one that a reservation is for.
WITH house AS MATERIALIZED (
  SELECT greatest($2::TEXT, (SELECT r.property_id FROM reservation.reservations r WHERE r.tenant_id = $1 AND r.id = $3::TEXT)) AS id
)
SELECT 'set' AS what, s.property_id, s."values", s.said_at, s.version, NULL::TIMESTAMPTZ AS made_at
FROM reservation.settings s WHERE s.tenant_id = $1 AND s.property_id IN ('', (SELECT id FROM house))
UNION ALL
SELECT 'policy', p.version, p.policy, '{}', 0, p.created_at FROM reservation.cancellation_policies p WHERE p.tenant_id = $1
UNION ALL
SELECT 'closed', c.property_id, '{}', '{}', 0, NULL FROM reservation.closed_houses c
WHERE c.tenant_id = $1 AND c.property_id = (SELECT id FROM house)
ORDER BY what, made_at, property_id
