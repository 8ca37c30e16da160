SELECT property_id FROM reservation.closed_houses WHERE tenant_id = $1 AND property_id = $2
