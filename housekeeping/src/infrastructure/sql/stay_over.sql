-- $5: these items of it; NULL: the whole booking.
INSERT INTO housekeeping.expected_stays AS known (tenant_id, reservation_id, property_id, over_at, over_items)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, reservation_id) DO UPDATE SET
  over_at = greatest(known.over_at, excluded.over_at),
  over_items = CASE WHEN known.over_at IS NULL THEN excluded.over_items
                    WHEN known.over_items IS NULL OR excluded.over_items IS NULL THEN NULL
                    ELSE known.over_items || excluded.over_items END
