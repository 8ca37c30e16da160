-- The newest version of each kind.
SELECT DISTINCT ON (kind) id, kind, version, items, published_at, published_by
FROM housekeeping.cleaning_checklists
WHERE tenant_id = $1
ORDER BY kind, version DESC
