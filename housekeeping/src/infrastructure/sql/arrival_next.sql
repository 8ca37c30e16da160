-- Nobody waits at the desk for longer than a day: an end that was never told must not press for ever.
SELECT room_id, min(expected_at) AS expected_at FROM housekeeping.arrivals
WHERE tenant_id = $1 AND property_id = $2 AND over_at IS NULL AND expected_at > $3::TIMESTAMPTZ - interval '1 day'
GROUP BY room_id
