-- A new PIN: whatever was counted against the code before is over. In the order of the names, like whoever counts.
WITH theirs AS (
  SELECT scope FROM staff.pin_attempts
  WHERE tenant_id = $1 AND (scope = 'code ' || $2 OR starts_with(scope, 'at ' || $2 || ' '))
  ORDER BY scope FOR UPDATE
)
DELETE FROM staff.pin_attempts kept USING theirs WHERE kept.tenant_id = $1 AND kept.scope = theirs.scope
