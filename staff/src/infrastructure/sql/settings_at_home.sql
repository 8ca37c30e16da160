-- What is in force where somebody is at home: the tenant's own first, then the house's.
SELECT property_id, settings, version FROM staff.settings
WHERE tenant_id = $1 AND property_id IN ('', (SELECT p.home_property_id FROM staff.people p WHERE p.tenant_id = $1 AND p.id = $2))
ORDER BY property_id
