SELECT a.staff_id, a.shift_id, a.capacity_minutes, a.languages, a.skills, a.shift_starts_at, a.shift_ends_at,
       a.break_started_at IS NOT NULL AND a.break_started_at > coalesce(a.break_ended_at, '-infinity') AS on_break,
       coalesce(a.job, 'cleaning') AS job, p.display_name
FROM housekeeping.staff_shift_assignments a
LEFT JOIN housekeeping.staff_profiles p ON p.tenant_id = a.tenant_id AND p.staff_id = a.staff_id
WHERE a.tenant_id = $1 AND a.property_id = $2 AND a.ended_at IS NULL
  AND a.clocked_in_at IS NOT NULL AND (a.clocked_out_at IS NULL OR a.clocked_out_at < a.clocked_in_at)
ORDER BY a.staff_id
LIMIT 1000
