-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE reservation.reservations SET version = $4, status = $5, channel = $6, partner_id = $7, starts = $8, ends = $9, body = $10,
    updated_at = $11, guest_id = $12
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
