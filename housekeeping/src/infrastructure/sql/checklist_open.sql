-- A tenant's first checklists, one a kind.
INSERT INTO housekeeping.cleaning_checklists (id, tenant_id, kind, version, items, published_at, published_by)
SELECT e.id, $1, e.kind, 1, e.items, $2, $3::JSONB
FROM unnest($4::TEXT[], $5::TEXT[], $6::JSONB[]) AS e (id, kind, items)
ON CONFLICT DO NOTHING
