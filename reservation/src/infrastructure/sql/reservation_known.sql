SELECT external_reference FROM reservation.reservations
WHERE tenant_id = $1 AND coalesce(partner_id, '') = $2::TEXT AND external_reference = ANY ($3::TEXT[])
ORDER BY external_reference
