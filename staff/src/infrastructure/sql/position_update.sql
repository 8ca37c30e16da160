-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE staff.positions SET
    version = $4, department_id = $5, code = $6, name = $7, role = $8, required_certifications = $9,
    certifications_enforced = $10, active = $11, updated_at = $12
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
