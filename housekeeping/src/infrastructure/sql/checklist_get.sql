SELECT id, kind, version, items, published_at, published_by FROM housekeeping.cleaning_checklists
WHERE tenant_id = $1 AND id = $2
