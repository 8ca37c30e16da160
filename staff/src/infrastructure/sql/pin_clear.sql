-- It was no failure after all. $3 is the code at its source, which begins anew.
WITH mine AS (
  SELECT scope FROM staff.pin_attempts WHERE tenant_id = $1 AND scope = ANY ($2::TEXT[]) ORDER BY scope FOR UPDATE
)
UPDATE staff.pin_attempts kept SET
  failures = CASE WHEN kept.scope = $3 THEN 0 ELSE greatest(kept.failures - 1, 0) END,
  shut_until = CASE WHEN kept.scope = $3 OR kept.failures - 1 < kept.most THEN NULL ELSE kept.shut_until END
FROM mine WHERE kept.tenant_id = $1 AND kept.scope = mine.scope
