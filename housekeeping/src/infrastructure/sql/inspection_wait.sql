SELECT minutes FROM housekeeping.learned_minutes
WHERE tenant_id = $1 AND property_id = $2 AND kind = 'inspection_wait' AND room_type = ''
