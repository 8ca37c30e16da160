-- Who has or had this code, and who has this login, besides the person itself.
SELECT
  EXISTS (SELECT 1 FROM staff.people WHERE tenant_id = $1 AND code_key = upper($2::TEXT) AND id <> $4)
  OR EXISTS (SELECT 1 FROM staff.codes_given WHERE tenant_id = $1 AND code_digest = staff.code_digest($1, $2::TEXT)
    AND staff_id IS DISTINCT FROM $4) AS code_taken,
  EXISTS (SELECT 1 FROM staff.people WHERE tenant_id = $1 AND user_id = $3::TEXT AND id <> $4) AS user_taken
