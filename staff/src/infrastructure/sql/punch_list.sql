SELECT * FROM staff.clock_entries
WHERE tenant_id = $1
  AND ($2::TEXT[] IS NULL OR property_id = ANY ($2))
  AND ($3::TEXT IS NULL OR staff_id = $3)
  AND ($4::TIMESTAMPTZ IS NULL OR occurred_at >= $4)
  AND ($5::TIMESTAMPTZ IS NULL OR occurred_at < $5)
  AND ($6::BOOLEAN IS NULL OR (cardinality(needs_review) > 0) = $6)
  AND ($7::TIMESTAMPTZ IS NULL OR (occurred_at, id) > ($7, $8::TEXT))
ORDER BY occurred_at, id
LIMIT $9
