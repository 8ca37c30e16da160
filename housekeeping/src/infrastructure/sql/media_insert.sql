-- Of two who keep the same photo at once, both have kept it.
INSERT INTO housekeeping.media (tenant_id, id, property_id, content_type, content, kept_by, created_at)
VALUES ($1, $2, $3, 'image/jpeg', $4, $5, $6)
ON CONFLICT DO NOTHING
