INSERT INTO staff.leave_requests
  (tenant_id, id, staff_id, person_no, type, first_day, last_day, reason, status, requested_at, version)
SELECT $1, $2, p.id, p.person_no, $4, $5, $6, $7, $8, $9, $10 FROM staff.people p WHERE p.tenant_id = $1 AND p.id = $3
