-- People who came and were not seen to go, however long ago: of their coming and going the last was that they came. At one moment
-- whoever goes and comes went first.
SELECT p.id AS staff_id FROM staff.people p
CROSS JOIN LATERAL (
  SELECT e.kind FROM staff.clock_entries e
  WHERE e.tenant_id = $1 AND e.staff_id = p.id AND e.kind IN ('in', 'out') AND e.occurred_at <= $2
  ORDER BY e.occurred_at DESC, e.kind LIMIT 1) last
WHERE p.tenant_id = $1 AND p.employment_status <> 'terminated' AND last.kind = 'in'
ORDER BY p.id
