-- Urgent work that nobody has begun although its time has come, and that nobody was told of since it
-- became urgent, neither by the timer nor by a person.
SELECT t.id FROM housekeeping.housekeeping_tasks t
WHERE t.tenant_id = $1 AND t.priority = 'urgent' AND t.status IN ('pending', 'assigned') AND t.priority_bumped_at <= $2
  AND (t.scheduled_for IS NULL OR t.scheduled_for <= $2)
  AND (t.escalated_at IS NULL OR t.escalated_at < t.priority_bumped_at)
  AND NOT EXISTS (SELECT FROM housekeeping.alert_debounce d
                  WHERE d.tenant_id = $1 AND d.alert = 'escalation' AND d.about = t.id AND d.told_at >= t.priority_bumped_at)
ORDER BY t.id
LIMIT 1000
