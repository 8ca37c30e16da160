SELECT id, name, email, phone, locale, email_hash, phone_hash FROM reservation.guests WHERE tenant_id = $1 AND id = ANY ($2::TEXT[])
