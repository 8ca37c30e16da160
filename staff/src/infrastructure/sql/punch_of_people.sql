-- Everything that these people punched in a time: one person, or all who punched in one of these houses then.
SELECT * FROM staff.clock_entries
WHERE tenant_id = $1 AND occurred_at >= $4 AND occurred_at < $5
  AND ($3::TEXT IS NULL OR staff_id = $3)
  AND ($2::TEXT[] IS NULL OR staff_id IN (
    SELECT staff_id FROM staff.clock_entries
    WHERE tenant_id = $1 AND property_id = ANY ($2) AND occurred_at >= $4 AND occurred_at < $5))
ORDER BY occurred_at, id
