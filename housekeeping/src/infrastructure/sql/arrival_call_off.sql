-- $4: only for these items; NULL for the whole booking.
UPDATE housekeeping.arrivals SET over_at = $3
WHERE tenant_id = $1 AND reservation_id = $2 AND over_at IS NULL AND ($4::TEXT[] IS NULL OR item_id = ANY ($4))
