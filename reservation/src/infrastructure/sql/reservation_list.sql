SELECT r.body, r.version,
  coalesce((SELECT jsonb_agg(jsonb_build_object('item', a.item_id, 'allocation', a.id, 'room', a.room_id, 'pinned', a.pinned,
            'released', a.released_at IS NOT NULL) ORDER BY a.id)
          FROM reservation.room_allocations a
          WHERE a.tenant_id = r.tenant_id AND a.reservation_id = r.id), '[]') AS places,
  coalesce((SELECT jsonb_agg(jsonb_build_array(f.key, f.body,
            to_char(f.told_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY f.seq) FROM reservation.facts f
            WHERE f.tenant_id = r.tenant_id AND f.reservation_id = r.id), '[]') AS facts
FROM reservation.reservations r
WHERE r.tenant_id = $1
  AND ($2::TEXT[] IS NULL OR r.property_id = ANY ($2))
  AND ($3::TEXT[] IS NULL OR r.status = ANY ($3))
  AND ($4::TEXT IS NULL OR r.code = upper($4))
  AND ($5::TEXT[] IS NULL OR r.guest_id IN (
        SELECT g.id FROM reservation.guests g
        WHERE g.tenant_id = $1 AND (g.email_hash = ANY ($5) OR g.phone_hash = ANY ($5))))
  AND ($6::TEXT IS NULL OR r.guest_id = $6)
  AND ($7::TEXT IS NULL OR EXISTS (SELECT FROM reservation.room_allocations a
        WHERE a.tenant_id = $1 AND a.reservation_id = r.id AND a.room_id = $7))
  AND ($8::TEXT IS NULL OR r.group_code = $8)
  AND ($9::TEXT IS NULL OR r.channel = $9)
  AND ($10::TEXT IS NULL OR r.external_reference = $10)
  AND ($11::DATE IS NULL OR r.starts >= $11) AND ($12::DATE IS NULL OR r.starts < $12)
  AND ($13::DATE IS NULL OR r.ends >= $13) AND ($14::DATE IS NULL OR r.ends < $14)
  AND ($15::DATE IS NULL OR r.ends > $15) AND ($16::DATE IS NULL OR r.starts < $16)
  AND ($17::TIMESTAMPTZ IS NULL OR r.updated_at >= $17)
  AND ($18::TEXT IS NULL OR r.id > $18)
ORDER BY r.id
LIMIT $19
