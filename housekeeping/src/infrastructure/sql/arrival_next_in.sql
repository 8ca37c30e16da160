-- When the next guest of each of these rooms is expected, other than those of one reservation.
SELECT room_id, min(expected_at) AS expected_at FROM housekeeping.arrivals
WHERE tenant_id = $1 AND property_id = $2 AND room_id = ANY ($4) AND over_at IS NULL
  AND expected_at > $3::TIMESTAMPTZ - interval '1 day' AND ($5::TEXT IS NULL OR reservation_id <> $5)
GROUP BY room_id
