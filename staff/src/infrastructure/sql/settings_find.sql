-- The tenant's own first, then the house's.
SELECT property_id, settings, version FROM staff.settings
WHERE tenant_id = $1 AND property_id IN ('', greatest($2::TEXT, ''))
ORDER BY property_id
