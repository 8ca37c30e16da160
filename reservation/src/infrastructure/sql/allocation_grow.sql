-- Whoever is in a room has it for one more night.
UPDATE reservation.room_allocations SET nights = daterange(lower(nights), $3::DATE)
WHERE tenant_id = $1 AND id = ANY ($2::TEXT[]) AND released_at IS NULL AND ends < $3
