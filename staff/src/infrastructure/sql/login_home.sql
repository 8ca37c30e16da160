-- The tenant's first house, as far as is known here.
SELECT home_property_id FROM staff.people WHERE tenant_id = $1 ORDER BY person_no LIMIT 1
