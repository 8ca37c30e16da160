INSERT INTO housekeeping.linen_inventory (tenant_id, id, property_id, line, on_hand, low_watermark, version, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
