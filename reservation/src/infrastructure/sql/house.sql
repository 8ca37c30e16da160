-- How a house works, a row for each thing that was said of it: what the tenant and the house set, every policy, and that nobody books it any
-- more.
SELECT 'set' AS what, s.property_id, s."values", s.said_at, s.version
FROM reservation.settings s WHERE s.tenant_id = $1 AND s.property_id IN ('', $2)
UNION ALL
SELECT 'policy', p.version, p.policy, '{}', 0 FROM reservation.cancellation_policies p WHERE p.tenant_id = $1
UNION ALL
SELECT 'closed', c.property_id, '{}', '{}', 0 FROM reservation.closed_houses c WHERE c.tenant_id = $1 AND c.property_id = $2
