-- Whoever is in $10 is on leave today.
SELECT * FROM staff.people
WHERE tenant_id = $1
  AND ($2::TEXT[] IS NULL OR property_access && $2)
  AND ($3::TEXT[] IS NULL OR CASE
    WHEN employment_status IN ('pending_invite', 'active') AND id = ANY ($10::TEXT[]) THEN 'on_leave'
    ELSE employment_status END = ANY ($3))
  AND ($4::TEXT IS NULL OR position_id = $4)
  AND ($5::TEXT IS NULL OR user_id = $5)
  AND ($6::TEXT IS NULL OR strpos(lower(given_name || ' ' || family_name || ' ' || staff_code), lower($6)) > 0)
  AND ($7::TIMESTAMPTZ IS NULL OR updated_at >= $7)
  AND ($8::TEXT IS NULL OR id > $8)
ORDER BY id
LIMIT $9
