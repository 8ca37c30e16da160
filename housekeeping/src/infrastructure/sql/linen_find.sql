SELECT id, property_id, line, on_hand, low_watermark, version, updated_at FROM housekeeping.linen_inventory
WHERE tenant_id = $1 AND id = $2
