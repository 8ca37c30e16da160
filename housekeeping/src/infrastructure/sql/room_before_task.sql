-- What a room was before it was flipped because of a departure.
SELECT previous_status FROM housekeeping.room_status_audit
WHERE tenant_id = $1 AND property_id = $2 AND room_id = $3 AND task_id = $4 AND cause = 'reservation_checked_out'
ORDER BY id DESC
LIMIT 1
