-- The last words about a room: that it cannot be used, that it can again, how clean it is. What an older release blocked counts too.
SELECT greatest((SELECT w.closed_at FROM reservation.room_words w WHERE w.tenant_id = $1 AND w.room_id = $2),
                (SELECT max(coalesce(b.told_at, b.created_at)) FROM reservation.room_blocks b
                 WHERE b.tenant_id = $1 AND b.room_id = $2 AND b.by_event)) AS closed_at,
       (SELECT w.opened_at FROM reservation.room_words w WHERE w.tenant_id = $1 AND w.room_id = $2) AS opened_at
