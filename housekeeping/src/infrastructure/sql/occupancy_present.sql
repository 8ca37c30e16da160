SELECT EXISTS (SELECT FROM housekeeping.reservation_occupancy
               WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND departed_at IS NULL) AS occupied
