-- Leave that these people have or want, with days in common with $3..$4.
SELECT * FROM staff.leave_requests
WHERE tenant_id = $1 AND staff_id = ANY ($2::TEXT[]) AND status IN ('requested', 'approved')
  AND last_day >= $3 AND first_day <= $4
ORDER BY first_day, id
