-- Differences in these rooms that wait for an answer, and whether guests of other reservations are on record there.
SELECT d.*, EXISTS (SELECT FROM housekeeping.reservation_occupancy o
                    WHERE o.tenant_id = $1 AND o.property_id = $2 AND o.room_id = d.room_id AND o.departed_at IS NULL
                      AND o.reservation_id <> $4) AS others_in
FROM housekeeping.discrepancies d
WHERE d.tenant_id = $1 AND d.property_id = $2 AND d.room_id = ANY ($3) AND d.resolved_at IS NULL
ORDER BY d.room_id, d.id
FOR UPDATE OF d
