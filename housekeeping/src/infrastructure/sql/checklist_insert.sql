INSERT INTO housekeeping.cleaning_checklists (tenant_id, id, kind, version, items, published_at, published_by)
VALUES ($1, $2, $3, $4, $5, $6, $7)
