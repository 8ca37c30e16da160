-- NULL: it is taken care of.
INSERT INTO housekeeping.expected_stays AS known (tenant_id, reservation_id, clean_asked_at, clean_asked_event)
VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, reservation_id) DO UPDATE
SET clean_asked_at = excluded.clean_asked_at, clean_asked_event = excluded.clean_asked_event
