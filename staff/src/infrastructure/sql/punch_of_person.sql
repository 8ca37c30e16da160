SELECT * FROM staff.clock_entries
WHERE tenant_id = $1 AND staff_id = $2 AND occurred_at >= $3 AND occurred_at <= $4
ORDER BY occurred_at, id
