-- People who came and were not seen to go.
SELECT DISTINCT e.staff_id FROM staff.clock_entries e
WHERE e.tenant_id = $1 AND e.kind = 'in' AND e.occurred_at BETWEEN $2 AND $3
  AND NOT EXISTS (SELECT 1 FROM staff.clock_entries o
                  WHERE o.tenant_id = $1 AND o.staff_id = e.staff_id AND o.kind = 'out' AND o.occurred_at >= e.occurred_at)
ORDER BY e.staff_id
