INSERT INTO reservation.type_nights (tenant_id, room_type_id, night, rate)
SELECT $1, $2, night::DATE, $5::TEXT::NUMERIC FROM generate_series($3::DATE, $4::DATE - 1, interval '1 day') AS night
ON CONFLICT (tenant_id, room_type_id, night) DO UPDATE SET rate = excluded.rate
