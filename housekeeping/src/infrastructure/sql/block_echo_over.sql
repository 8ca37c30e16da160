-- Whether an echo in this room was over when $4 was told: it was lifted since, or it ended by itself and was told later than that.
SELECT EXISTS (
  SELECT FROM housekeeping.room_blocks
  WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND reason = 'oos_echo' AND cleared_at >= $4
    AND (blocked_until IS NULL OR blocked_until > cleared_at OR coalesce(told_at, created_at) >= $4)) AS is_over
