WITH old AS (
  SELECT id FROM staff.clock_entries WHERE tenant_id = $1 AND occurred_at < $2 ORDER BY occurred_at LIMIT $3
), revisions AS (
  DELETE FROM staff.clock_entry_revisions r USING old WHERE r.tenant_id = $1 AND r.entry_id = old.id
)
DELETE FROM staff.clock_entries e USING old WHERE e.tenant_id = $1 AND e.id = old.id RETURNING e.id
