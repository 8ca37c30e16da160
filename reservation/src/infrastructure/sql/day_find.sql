SELECT figures, closed_at, closed_by FROM reservation.day_closes WHERE tenant_id = $1 AND property_id = $2 AND day = $3
