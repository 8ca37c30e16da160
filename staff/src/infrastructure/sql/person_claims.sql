-- Who has this code or this login, besides the person itself; and the next code that is free.
SELECT
  EXISTS (SELECT 1 FROM staff.people WHERE tenant_id = $1 AND code_key = upper($2::TEXT) AND id <> $4) AS code_taken,
  EXISTS (SELECT 1 FROM staff.people WHERE tenant_id = $1 AND user_id = $3::TEXT AND id <> $4) AS user_taken,
  (SELECT coalesce(max(substring(staff_code FROM '^S-([0-9]{1,9})$')::INTEGER), 0) + 1
   FROM staff.people WHERE tenant_id = $1) AS next_number
