-- What was asked for meanwhile still waits.
UPDATE housekeeping.planning_requests SET planned = greatest(planned, $3), planned_at = $4
WHERE tenant_id = $1 AND property_id = $2
