-- Houses that wait for a plan. With nobody at work who cleans there is nobody to give anything to: those wait on.
SELECT r.property_id, r.asked FROM housekeeping.planning_requests r
WHERE r.tenant_id = $1 AND r.planned < r.asked
  AND EXISTS (SELECT FROM housekeeping.staff_shift_assignments s
              WHERE s.tenant_id = $1 AND s.property_id = r.property_id AND s.ended_at IS NULL
                AND s.job IS DISTINCT FROM 'other'
                AND s.clocked_in_at IS NOT NULL AND (s.clocked_out_at IS NULL OR s.clocked_out_at < s.clocked_in_at))
ORDER BY r.property_id
LIMIT 1000
