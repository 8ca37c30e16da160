SELECT id FROM reservation.alerts
WHERE tenant_id = $1 AND property_id = $2 AND kind = $3 AND coalesce(reservation_id, '') = coalesce($4::TEXT, '')
  AND coalesce(room_id, '') = coalesce($5::TEXT, '') AND resolved_at IS NULL
