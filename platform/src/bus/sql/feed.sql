SELECT log_offset, envelope::TEXT AS envelope
FROM bus.event_log
WHERE tenant_id = $1 AND log_offset > $2
  AND ($3::TEXT[] IS NULL OR subject = ANY ($3))
  AND ($4::TEXT IS NULL OR property_id = $4)
ORDER BY log_offset
LIMIT $5
