-- Newest first. Of people who work in one of these houses; days in common with $5..$6.
SELECT l.* FROM staff.leave_requests l
JOIN staff.people p ON p.tenant_id = l.tenant_id AND p.id = l.staff_id
WHERE l.tenant_id = $1
  AND ($2::TEXT[] IS NULL OR p.property_access && $2)
  AND ($3::TEXT IS NULL OR l.staff_id = $3)
  AND ($4::TEXT[] IS NULL OR l.status = ANY ($4))
  AND ($5::DATE IS NULL OR l.last_day >= $5)
  AND ($6::DATE IS NULL OR l.first_day <= $6)
  AND ($7::TEXT IS NULL OR l.id < $7)
ORDER BY l.id DESC
LIMIT $8
