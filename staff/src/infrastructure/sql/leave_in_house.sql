-- Leave of people at home in a house, with days in common with $3..$4.
SELECT l.* FROM staff.leave_requests l
JOIN staff.people p ON p.tenant_id = l.tenant_id AND p.id = l.staff_id
WHERE l.tenant_id = $1 AND p.home_property_id = $2 AND l.status IN ('requested', 'approved')
  AND l.last_day >= $3 AND l.first_day <= $4
ORDER BY l.first_day, l.id
