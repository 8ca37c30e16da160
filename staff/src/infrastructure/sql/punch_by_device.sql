SELECT * FROM staff.clock_entries
WHERE tenant_id = $1 AND device_id = $2 AND client_punch_id = ANY ($3::TEXT[])
