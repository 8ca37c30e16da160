-- The newest plan of the day that somebody approved, in whole or in part (or that changed nothing), and that speaks of the person.
SELECT s.* FROM housekeeping.routing_suggestions s
WHERE tenant_id = $1 AND property_id = $2 AND generated_at >= $3
  AND (status = 'nothing_to_do' OR (decided_at IS NOT NULL AND status NOT IN ('rejected', 'expired')))
  AND s.rows @> jsonb_build_array(jsonb_build_object('staffId', $4::TEXT))
ORDER BY generated_at DESC, id DESC
LIMIT 1
