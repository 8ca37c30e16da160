INSERT INTO housekeeping.expected_stays AS known (tenant_id, reservation_id, property_id, over_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, reservation_id) DO UPDATE SET over_at = greatest(known.over_at, excluded.over_at)
