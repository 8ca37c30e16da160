SELECT * FROM housekeeping.discrepancies
WHERE tenant_id = $1 AND property_id = $2 AND resolved_at IS NULL
ORDER BY id
LIMIT 1000
