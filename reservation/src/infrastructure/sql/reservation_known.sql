-- Whose codes they begin with is worked out first: an index answers for a plain comparison alone.
WITH asked AS MATERIALIZED (
  SELECT reference, split_part(reference, '/', 1) AS code FROM unnest($3::TEXT[]) AS one (reference)
)
SELECT external_reference, property_id FROM reservation.reservations
WHERE tenant_id = $1 AND coalesce(partner_id, '') = $2::TEXT AND external_reference = ANY ($3::TEXT[])
UNION
SELECT asked.reference, r.property_id FROM asked
JOIN reservation.reservations r ON r.tenant_id = $1 AND r.code = asked.code
WHERE r.property_id = $4::TEXT
ORDER BY 1, 2
