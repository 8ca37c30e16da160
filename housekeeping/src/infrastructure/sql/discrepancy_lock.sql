SELECT * FROM housekeeping.discrepancies WHERE tenant_id = $1 AND id = $2 FOR UPDATE
