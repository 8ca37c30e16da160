SELECT salt FROM reservation.tenant_secrets WHERE tenant_id = $1
