-- Whatever was decided, nothing goes out that is not there.
UPDATE housekeeping.linen_inventory SET on_hand = on_hand + $5, version = $4, updated_at = $6
WHERE tenant_id = $1 AND id = $2 AND version = $3 AND on_hand + $5 >= 0
