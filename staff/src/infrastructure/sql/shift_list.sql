SELECT * FROM staff.shifts s
WHERE tenant_id = $1
  AND ($2::TEXT[] IS NULL OR property_id = ANY ($2))
  AND ($3::DATE IS NULL OR local_date >= $3)
  AND ($4::DATE IS NULL OR local_date <= $4)
  AND ($5::TEXT IS NULL OR position_id = $5)
  AND ($6::TEXT[] IS NULL OR status = ANY ($6))
  AND ($7::TEXT IS NULL OR EXISTS (
    SELECT 1 FROM staff.shift_assignments a
    WHERE a.tenant_id = $1 AND a.shift_id = s.id AND a.staff_id = $7 AND a.status = 'active'))
  AND ($8::TIMESTAMPTZ IS NULL OR (starts_at, id) > ($8, $9::TEXT))
ORDER BY starts_at, id
LIMIT $10
