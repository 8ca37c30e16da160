INSERT INTO staff.positions
  (tenant_id, id, department_id, code, name, role, required_certifications, certifications_enforced, active, version,
   created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
