INSERT INTO reservation.room_types (tenant_id, id, property_id, name, max_occupancy, base_rate, overbooking, version, updated_at)
VALUES ($1, $2, $3, $4, $5, $6::TEXT::NUMERIC, $7, $8, $9)
