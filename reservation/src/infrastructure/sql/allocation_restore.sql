-- Who had left is in the room again, until the end of the stay.
UPDATE reservation.room_allocations
SET released_at = NULL, occupied = true, nights = daterange(lower(nights), greatest(upper(nights), $3::DATE))
WHERE tenant_id = $1 AND id = ANY ($2::TEXT[])
