SELECT policy FROM reservation.cancellation_policies WHERE tenant_id = $1 ORDER BY created_at, version
