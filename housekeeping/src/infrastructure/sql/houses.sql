WITH RECURSIVE house AS (
    (SELECT property_id FROM housekeeping.room_status WHERE tenant_id = $1 ORDER BY property_id LIMIT 1)
    UNION ALL
    -- From house to house along the index, past all their rooms.
    SELECT (
        SELECT next.property_id FROM housekeeping.room_status next
        WHERE next.tenant_id = $1 AND next.property_id > house.property_id
        ORDER BY next.property_id LIMIT 1
    )
    FROM house WHERE house.property_id IS NOT NULL
)
SELECT property_id FROM house WHERE property_id IS NOT NULL LIMIT 200
