-- Whether what was told at $4, to begin at $5, is over: an echo in this room was lifted since, or it ended by itself and was told later than that;
-- or a repair was finished since, with which every echo ends that has begun, and no other repair is waited for.
SELECT EXISTS (
  SELECT FROM housekeeping.room_blocks
  WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND reason = 'oos_echo' AND cleared_at >= $4::TIMESTAMPTZ
    AND (blocked_until IS NULL OR blocked_until > cleared_at OR coalesce(told_at, created_at) >= $4))
OR EXISTS (
  SELECT FROM housekeeping.maintenance_blocks
  WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND cleared_at > greatest($4, $5::TIMESTAMPTZ))
AND NOT EXISTS (
  SELECT FROM housekeeping.maintenance_blocks
  WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND blocking AND cleared_at IS NULL) AS is_over
