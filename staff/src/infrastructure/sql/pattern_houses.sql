SELECT DISTINCT property_id FROM staff.shift_patterns WHERE tenant_id = $1 AND active ORDER BY property_id
