-- As housekeeping tells it; what is older than what is known says nothing. Of two at the same moment (inspected, ready) the later told
-- counts: a room's events come in their order, each once.
UPDATE reservation.rooms SET housekeeping_status = $3, housekeeping_flipped_at = $4
WHERE tenant_id = $1 AND id = $2 AND (housekeeping_flipped_at IS NULL OR housekeeping_flipped_at <= $4)
