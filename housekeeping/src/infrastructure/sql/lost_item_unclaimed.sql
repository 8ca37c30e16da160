-- What nobody has claimed since before a moment, oldest first, for whoever disposes of it.
SELECT * FROM housekeeping.lost_and_found
WHERE tenant_id = $1 AND status = 'recorded' AND recorded_at <= $2
ORDER BY recorded_at, id
LIMIT $3
FOR UPDATE SKIP LOCKED
