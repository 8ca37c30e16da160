UPDATE housekeeping.arrivals SET over_at = $3
WHERE tenant_id = $1 AND reservation_id = $2 AND over_at IS NULL
