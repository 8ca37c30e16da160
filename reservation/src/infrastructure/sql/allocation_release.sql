-- Nights from a day on are given back; what is left stays on record.
UPDATE reservation.room_allocations SET released_at = $4, occupied = false,
  nights = CASE WHEN $5::DATE > lower(nights) AND $5 < upper(nights) THEN daterange(lower(nights), $5) ELSE nights END
WHERE tenant_id = $1 AND reservation_id = $2 AND item_id = ANY ($3::TEXT[]) AND released_at IS NULL
