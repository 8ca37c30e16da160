-- The places of one shift, as they are now; $3 and $4 are the shift's window.
INSERT INTO staff.shift_assignments
  (tenant_id, id, shift_id, staff_id, person_no, starts_at, ends_at, role, source, status, swapped_from, assigned_at, version)
SELECT $1, p.id, $2, p.staff_id, who.person_no, $3, $4, p.role, p.source, p.status, p.swapped_from, p.assigned_at, p.version
FROM unnest($5::TEXT[], $6::TEXT[], $7::TEXT[], $8::TEXT[], $9::TEXT[], $10::TEXT[], $11::TIMESTAMPTZ[], $12::INTEGER[])
  AS p (id, staff_id, role, source, status, swapped_from, assigned_at, version)
JOIN staff.people who ON who.tenant_id = $1 AND who.id = p.staff_id
ON CONFLICT (tenant_id, id) DO UPDATE SET
  starts_at = excluded.starts_at, ends_at = excluded.ends_at, status = excluded.status, version = excluded.version
