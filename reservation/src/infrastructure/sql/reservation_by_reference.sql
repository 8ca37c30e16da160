SELECT id FROM reservation.reservations
WHERE tenant_id = $1 AND coalesce(partner_id, '') = greatest($2::TEXT, '') AND external_reference = $3
