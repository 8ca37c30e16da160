INSERT INTO staff.certifications
  (tenant_id, id, staff_id, type, issued_at, expires_at, number, status, added_at, updated_at, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)
