SELECT id, property_id, line, on_hand, low_watermark, version, updated_at FROM housekeeping.linen_inventory
WHERE tenant_id = $1 AND property_id = $2 AND ($3::TEXT IS NULL OR id > $3)
ORDER BY id
LIMIT $4
