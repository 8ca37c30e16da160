SELECT * FROM housekeeping.lost_and_found WHERE tenant_id = $1 AND id = $2 FOR UPDATE
