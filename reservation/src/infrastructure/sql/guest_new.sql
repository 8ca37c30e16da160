INSERT INTO reservation.guests (tenant_id, id, name, email, phone, locale, email_hash, phone_hash, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
