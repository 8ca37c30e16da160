INSERT INTO housekeeping.routing_suggestions (
  id, tenant_id, property_id, shift_id, status, source, note, model_version, generated_at, rows, unassigned, moved, decided_by,
  decided_at, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::TEXT::JSONB, $11::TEXT::JSONB, $12::TEXT::JSONB, $13::TEXT::JSONB, $14, $15)
