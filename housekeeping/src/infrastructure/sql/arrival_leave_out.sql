-- Another room is meant for them.
UPDATE housekeeping.arrivals SET over_at = $4
WHERE tenant_id = $1 AND reservation_id = $2 AND room_id = $3 AND over_at IS NULL
