SELECT r.body, r.version,
  coalesce((SELECT jsonb_agg(jsonb_build_object('item', a.item_id, 'allocation', a.id, 'room', a.room_id, 'pinned', a.pinned,
            'released', a.released_at IS NOT NULL) ORDER BY a.id)
          FROM reservation.room_allocations a
          WHERE a.tenant_id = r.tenant_id AND a.reservation_id = r.id), '[]') AS places,
  coalesce((SELECT jsonb_agg(jsonb_build_array(f.key, f.body,
            to_char(f.told_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY f.seq) FROM reservation.facts f
            WHERE f.tenant_id = r.tenant_id AND f.reservation_id = r.id), '[]') AS facts
FROM reservation.reservations r WHERE r.tenant_id = $1 AND r.id = ANY ($2::TEXT[])
ORDER BY r.id
