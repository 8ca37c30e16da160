-- What is said now goes before what was known; what is left out stays.
INSERT INTO reservation.guests AS g (tenant_id, id, name, email, phone, locale, email_hash, phone_hash, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (tenant_id, id) DO UPDATE SET
  name = coalesce(excluded.name, g.name), email = coalesce(excluded.email, g.email), phone = coalesce(excluded.phone, g.phone),
  locale = excluded.locale, email_hash = coalesce(excluded.email_hash, g.email_hash),
  phone_hash = coalesce(excluded.phone_hash, g.phone_hash), updated_at = excluded.updated_at,
  erased_at = CASE WHEN coalesce(excluded.name, excluded.email, excluded.phone) IS NULL THEN g.erased_at END
