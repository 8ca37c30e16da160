SELECT * FROM staff.clock_entries WHERE tenant_id = $1 AND id = $2
