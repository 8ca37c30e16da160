SELECT property_id, arrives_at, as_of, over_at, over_items, clean_asked_at, clean_asked_event, left_at, left_event, came_back_at, undone_at,
       brought_back_at
FROM housekeeping.expected_stays WHERE tenant_id = $1 AND reservation_id = $2
