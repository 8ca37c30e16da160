INSERT INTO housekeeping.discrepancies
  (tenant_id, id, property_id, room_id, observed, recorded, observed_by, observed_at, note, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
