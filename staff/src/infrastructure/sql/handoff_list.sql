-- Newest first.
SELECT * FROM staff.handoff_notes
WHERE tenant_id = $1
  AND ($2::TEXT[] IS NULL OR property_id = ANY ($2))
  AND ($3::TIMESTAMPTZ IS NULL OR created_at >= $3)
  AND ($4::TEXT IS NULL OR position_id = $4)
  AND ($5::TEXT IS NULL OR from_shift_id = $5)
  AND ($6::TIMESTAMPTZ IS NULL OR (created_at, id) < ($6, $7::TEXT))
ORDER BY created_at DESC, id DESC
LIMIT $8
