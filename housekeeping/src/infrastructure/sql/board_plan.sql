-- In which order people do what an approved plan gave them, or left them: of each person, the newest plan that speaks of them, as the
-- person's own board has it. One a shift is as many as a house works by.
WITH plans AS (
  SELECT s.rows AS plan, row_number() OVER (ORDER BY s.generated_at DESC, s.id DESC) AS place
  FROM housekeeping.routing_suggestions s
  WHERE s.tenant_id = $1 AND s.property_id = $2 AND s.generated_at >= $3 AND s.note IS NULL
    AND (s.status = 'nothing_to_do' OR (s.decided_at IS NOT NULL AND s.status NOT IN ('rejected', 'expired')))
  ORDER BY s.generated_at DESC, s.id DESC
  LIMIT 3
), said AS (
  SELECT r.*, p.place, min(p.place) OVER (PARTITION BY r."staffId") AS newest
  FROM plans p CROSS JOIN jsonb_to_recordset(p.plan) AS r ("taskId" TEXT, "staffId" TEXT, sequence INTEGER, outcome TEXT)
)
SELECT "taskId" AS task_id, "staffId" AS staff_id, sequence FROM said
WHERE place = newest AND outcome IN ('applied', 'unchanged') AND sequence IS NOT NULL
