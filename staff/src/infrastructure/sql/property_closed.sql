SELECT deactivated_at FROM staff.properties WHERE tenant_id = $1 AND id = $2
