-- As housekeeping tells it; what is older than what is known says nothing.
UPDATE reservation.rooms SET housekeeping_status = $3, housekeeping_flipped_at = $4
WHERE tenant_id = $1 AND id = $2 AND (housekeeping_flipped_at IS NULL OR housekeeping_flipped_at < $4)
