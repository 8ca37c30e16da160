SELECT property_id, arrives_at, as_of, over_at, clean_asked_at, clean_asked_event
FROM housekeeping.expected_stays WHERE tenant_id = $1 AND reservation_id = $2
