INSERT INTO reservation.reservations (tenant_id, id, property_id, code, status, channel, partner_id, external_reference,
  group_code, guest_id, starts, ends, body, version, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)
