SELECT external_reference FROM reservation.reservations
WHERE tenant_id = $1 AND coalesce(partner_id, '') = $2::TEXT AND external_reference = ANY ($3::TEXT[])
UNION
SELECT asked.reference FROM unnest($3::TEXT[]) AS asked (reference)
JOIN reservation.reservations r ON r.tenant_id = $1 AND r.code = split_part(asked.reference, '/', 1)
WHERE r.property_id = $4::TEXT
ORDER BY 1
