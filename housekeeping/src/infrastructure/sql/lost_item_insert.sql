INSERT INTO housekeeping.lost_and_found
  (tenant_id, id, property_id, room_id, reservation_id, description, photo_media_ids, storage_location, finder_staff_id,
   status, recorded_at, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'recorded', $10, $11)
