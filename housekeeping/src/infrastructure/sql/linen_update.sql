-- Whatever was decided, nothing goes out that is not there. A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE housekeeping.linen_inventory SET on_hand = on_hand + $5, version = $4, updated_at = $6, low_watermark = $7
  WHERE tenant_id = $1 AND id = $2 AND version = $3 AND on_hand + $5 >= 0
  RETURNING 1
)
SELECT 1 / count(*) FROM met
