-- Whose code it is, what is kept of the PIN, and whether one was taken at this source lately.
SELECT
  p.id,
  CASE WHEN p.employment_status IN ('pending_invite', 'active') THEN k.hash END AS hash,
  EXISTS (SELECT 1 FROM staff.pin_sources s
          WHERE s.tenant_id = $1 AND s.source = $3 AND s.staff_id = p.id AND s.taken_at > $4) AS person_known,
  EXISTS (SELECT 1 FROM staff.pin_sources s WHERE s.tenant_id = $1 AND s.source = $3 AND s.taken_at > $4) AS tenant_known
FROM (SELECT 1) AS always
LEFT JOIN staff.people p ON p.tenant_id = $1 AND p.code_key = $2
LEFT JOIN staff.pins k ON k.tenant_id = $1 AND k.staff_id = p.id
