SELECT * FROM staff.clock_entries
WHERE tenant_id = $1 AND shift_id = ANY ($2::TEXT[])
ORDER BY occurred_at, id
