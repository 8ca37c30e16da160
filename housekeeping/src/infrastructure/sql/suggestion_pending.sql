-- Those that wait for a decision and speak of some of the same people: of the shift, or of the whole property.
SELECT * FROM housekeeping.routing_suggestions
WHERE tenant_id = $1 AND property_id = $2 AND status = 'pending'
  AND ($3::TEXT IS NULL OR shift_id IS NULL OR shift_id = $3)
ORDER BY id
FOR UPDATE
