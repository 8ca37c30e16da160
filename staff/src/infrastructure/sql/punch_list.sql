-- A day is one of the house of the punch: its clock, else the tenant's, else ($6) everybody's. The bounds in UTC are for the index.
SELECT e.* FROM staff.clock_entries e
LEFT JOIN staff.settings house ON house.tenant_id = $1 AND house.property_id = e.property_id
LEFT JOIN staff.settings tenant ON tenant.tenant_id = $1 AND tenant.property_id = ''
WHERE e.tenant_id = $1
  AND ($2::TEXT[] IS NULL OR e.property_id = ANY ($2))
  AND ($3::TEXT IS NULL OR e.staff_id = $3)
  AND ($4::DATE IS NULL OR (e.occurred_at >= ($4 - 1)::TIMESTAMP AT TIME ZONE 'UTC'
    AND (e.occurred_at AT TIME ZONE coalesce(house.settings ->> 'timezone', tenant.settings ->> 'timezone', $6::TEXT))::DATE >= $4))
  AND ($5::DATE IS NULL OR (e.occurred_at < ($5 + 2)::TIMESTAMP AT TIME ZONE 'UTC'
    AND (e.occurred_at AT TIME ZONE coalesce(house.settings ->> 'timezone', tenant.settings ->> 'timezone', $6::TEXT))::DATE <= $5))
  AND ($7::BOOLEAN IS NULL OR (cardinality(e.needs_review) > 0) = $7)
  AND ($8::TIMESTAMPTZ IS NULL OR (e.occurred_at, e.id) > ($8, $9::TEXT))
ORDER BY e.occurred_at, e.id
LIMIT $10
