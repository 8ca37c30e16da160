-- One more cleaned room, and how long it waited for its inspection.
INSERT INTO housekeeping.learned_minutes AS l (tenant_id, property_id, kind, room_type, latest)
SELECT $1, $2, 'inspection_wait', '',
       ARRAY[least(greatest(ceil(extract(epoch FROM $5::TIMESTAMPTZ - t.completed_at) / 60), 0), 1440)::INTEGER]
FROM housekeeping.housekeeping_tasks t
WHERE t.tenant_id = $1 AND t.id = $3 AND t.created_at = $4 AND t.completed_at IS NOT NULL
ON CONFLICT (tenant_id, property_id, kind, room_type) DO UPDATE
SET latest = (excluded.latest || l.latest)[1:50], minutes = housekeeping.median_of((excluded.latest || l.latest)[1:50])
