INSERT INTO staff.suggestions
  (tenant_id, id, property_id, status, generated_at, model_version, provenance, rows, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
