SELECT policy FROM reservation.cancellation_policies WHERE tenant_id = $1 AND version = $2
