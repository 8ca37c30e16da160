INSERT INTO housekeeping.expected_stays AS known (tenant_id, reservation_id, property_id, arrives_at, as_of)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, reservation_id) DO UPDATE
SET property_id = excluded.property_id, arrives_at = excluded.arrives_at, as_of = excluded.as_of
