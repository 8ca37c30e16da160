SELECT id FROM reservation.alerts
WHERE tenant_id = $1 AND property_id = $2 AND kind = $3 AND coalesce(reservation_id, '') = greatest($4::TEXT, '')
  AND coalesce(room_id, '') = greatest($5::TEXT, '') AND resolved_at IS NULL
