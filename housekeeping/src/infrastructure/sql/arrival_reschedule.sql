UPDATE housekeeping.arrivals SET expected_at = $3
WHERE tenant_id = $1 AND reservation_id = $2 AND over_at IS NULL AND NOT at_desk
