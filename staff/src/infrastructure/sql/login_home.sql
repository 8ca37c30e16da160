-- The tenant's first house, as far as is known here: of people, else of what was planned or set there.
SELECT home_property_id FROM (SELECT coalesce(
  (SELECT home_property_id FROM staff.people WHERE tenant_id = $1 ORDER BY person_no LIMIT 1),
  (SELECT property_id FROM (
    (SELECT property_id, created_at FROM staff.shifts WHERE tenant_id = $1 ORDER BY created_at LIMIT 1)
    UNION ALL
    (SELECT property_id, created_at FROM staff.shift_patterns WHERE tenant_id = $1 ORDER BY created_at LIMIT 1)
    UNION ALL
    (SELECT property_id, updated_at FROM staff.settings WHERE tenant_id = $1 AND property_id <> '' ORDER BY updated_at LIMIT 1)
  ) known ORDER BY created_at LIMIT 1)
) AS home_property_id) first WHERE home_property_id IS NOT NULL
