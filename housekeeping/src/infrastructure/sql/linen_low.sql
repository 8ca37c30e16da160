-- Of these there is too little.
SELECT id, property_id, line, on_hand, low_watermark, version, updated_at FROM housekeeping.linen_inventory
WHERE tenant_id = $1 AND property_id = $2 AND on_hand < low_watermark
ORDER BY line, id
LIMIT 100
