-- Each by the number of days of the house it was punched in, else the tenant's, else the usual one ($3). Houses that keep them longer are
-- passed by: what is older than the shortest of all is looked at first.
WITH tenants_own AS (
  SELECT (settings ->> 'timeRecordsKeptDays')::INTEGER AS days FROM staff.settings WHERE tenant_id = $1 AND property_id = ''
), houses AS (
  SELECT property_id, (settings ->> 'timeRecordsKeptDays')::INTEGER AS days FROM staff.settings
  WHERE tenant_id = $1 AND property_id <> '' AND settings ? 'timeRecordsKeptDays'
), usual AS (
  SELECT coalesce((SELECT days FROM tenants_own), $3::INTEGER) AS days
), old AS (
  SELECT e.id FROM staff.clock_entries e CROSS JOIN usual u LEFT JOIN houses h ON h.property_id = e.property_id
  WHERE e.tenant_id = $1 AND e.occurred_at < $2::TIMESTAMPTZ - make_interval(days => least(u.days, (SELECT min(days) FROM houses)))
    AND e.occurred_at < $2::TIMESTAMPTZ - make_interval(days => coalesce(h.days, u.days))
  ORDER BY e.occurred_at LIMIT $4
), revisions AS (
  DELETE FROM staff.clock_entry_revisions r USING old WHERE r.tenant_id = $1 AND r.entry_id = old.id
)
DELETE FROM staff.clock_entries e USING old WHERE e.tenant_id = $1 AND e.id = old.id RETURNING e.id
