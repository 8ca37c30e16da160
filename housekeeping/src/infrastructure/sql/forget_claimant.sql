-- Who claimed what was left behind; that it was claimed stays.
UPDATE housekeeping.lost_and_found SET claimant_name = left(claimant_name, 0), claimant_phone = NULL
WHERE tenant_id = $1 AND reservation_id = ANY ($2::TEXT[]) AND (claimant_name <> '' OR claimant_phone IS NOT NULL)
