-- Who may be on leave around a day, and where they belong: what day it is there, the house says.
SELECT l.staff_id, l.first_day, l.last_day, p.home_property_id FROM staff.leave_requests l
JOIN staff.people p ON p.tenant_id = l.tenant_id AND p.id = l.staff_id
WHERE l.tenant_id = $1 AND l.status = 'approved' AND l.last_day >= $2 AND l.first_day <= $3
  AND ($4::TEXT IS NULL OR l.staff_id = $4)
