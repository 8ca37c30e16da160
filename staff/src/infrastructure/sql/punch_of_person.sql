-- From where they were last seen to go at or before a moment: after an `out` nobody is there, so what follows is whole. `greatest` passes
-- over who never went; coalesce would, too, but under a policy no index answers for it, and all they ever punched was read.
SELECT * FROM staff.clock_entries
WHERE tenant_id = $1 AND staff_id = $2 AND occurred_at <= $4
  AND occurred_at >= greatest((
    SELECT occurred_at FROM staff.clock_entries
    WHERE tenant_id = $1 AND staff_id = $2 AND occurred_at <= $3 AND kind = 'out'
    ORDER BY occurred_at DESC LIMIT 1), '-infinity')
ORDER BY occurred_at, id
