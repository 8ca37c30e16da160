-- The next number whose code nobody has or had. It is not given again, whatever becomes of whoever gets it. Where none was kept yet, it goes on
-- from the highest that people have; longer ones were somebody's own idea.
WITH RECURSIVE tried AS (
  SELECT coalesce(
    (SELECT last_number FROM staff.code_numbers WHERE tenant_id = $1),
    (SELECT max(substring(staff_code FROM '^S-([0-9]{1,8})$')::BIGINT) FROM staff.people WHERE tenant_id = $1),
    0) + 1 AS n
  UNION ALL
  SELECT n + 1 FROM tried
  WHERE EXISTS (SELECT 1 FROM staff.people
      WHERE tenant_id = $1 AND code_key = 'S-' || lpad(n::TEXT, greatest(length(n::TEXT), 4), '0'))
    OR EXISTS (SELECT 1 FROM staff.codes_given
      WHERE tenant_id = $1 AND code_digest = staff.code_digest($1, 'S-' || lpad(n::TEXT, greatest(length(n::TEXT), 4), '0')))
)
INSERT INTO staff.code_numbers (tenant_id, last_number)
SELECT $1, max(n) FROM tried
ON CONFLICT (tenant_id) DO UPDATE SET last_number = excluded.last_number
RETURNING last_number
