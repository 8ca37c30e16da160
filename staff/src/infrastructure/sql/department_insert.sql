INSERT INTO staff.departments (tenant_id, id, code, name, active, version, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
