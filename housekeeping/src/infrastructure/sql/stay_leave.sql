-- They left early, and no room is named: they have left whichever they are told to have been in.
INSERT INTO housekeeping.expected_stays AS known (tenant_id, reservation_id, property_id, left_at, left_event)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, reservation_id) DO UPDATE SET
  property_id = coalesce(known.property_id, excluded.property_id), left_at = excluded.left_at, left_event = excluded.left_event
WHERE known.left_at IS NULL OR known.left_at < excluded.left_at
