-- The row is locked by whoever decided on it.
UPDATE housekeeping.routing_suggestions
SET status = $3, rows = $4::TEXT::JSONB, decided_by = $5::TEXT::JSONB, decided_at = $6, version = $7
WHERE tenant_id = $1 AND id = $2
