SELECT id, kind, version, items FROM housekeeping.cleaning_checklists WHERE tenant_id = $1 AND id = $2
