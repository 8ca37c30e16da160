SELECT property_id, "values", said_at, version FROM reservation.settings WHERE tenant_id = $1 AND property_id IN ('', $2)
