SELECT property_id FROM housekeeping.board_snapshot_mat
WHERE tenant_id = $1 AND asked_at > $2::TIMESTAMPTZ - interval '15 minutes' AND generated_at <= $2::TIMESTAMPTZ - interval '1 minute'
ORDER BY property_id
LIMIT 1000
