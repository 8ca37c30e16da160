-- What every tenant has from the start; whoever comes second finds it there. $2..$4 departments, $5..$9 positions.
WITH departments AS (
  INSERT INTO staff.departments (tenant_id, id, code, name, version, created_at, updated_at)
  SELECT $1, d.id, d.code, d.name, 1, $10, $10 FROM unnest($2::TEXT[], $3::TEXT[], $4::TEXT[]) AS d (id, code, name)
  ON CONFLICT DO NOTHING
  RETURNING id, code
)
INSERT INTO staff.positions (tenant_id, id, department_id, code, name, role, version, created_at, updated_at)
SELECT $1, p.id, d.id, p.code, p.name, p.role, 1, $10, $10
FROM unnest($5::TEXT[], $6::TEXT[], $7::TEXT[], $8::TEXT[], $9::TEXT[]) AS p (id, code, name, department, role)
JOIN departments d ON d.code = p.department
ON CONFLICT DO NOTHING
RETURNING id
