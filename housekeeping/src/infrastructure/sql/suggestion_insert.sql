INSERT INTO housekeeping.routing_suggestions (
  tenant_id, id, property_id, shift_id, status, source, note, model_version, generated_at, rows, unassigned, moved, decided_by,
  decided_at, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
