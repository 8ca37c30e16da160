-- A page ends at $4 events or $5 bytes, whichever comes first, and has one event at least. What is our own business
-- (`internal.…`) is nobody's news.
SELECT log_offset, envelope
FROM (
  SELECT log_offset, envelope,
         sum(octet_length(envelope)) OVER (ORDER BY log_offset) AS bytes, row_number() OVER (ORDER BY log_offset) AS number
  FROM (
    SELECT log_offset, envelope::TEXT AS envelope
    FROM bus.event_log
    WHERE tenant_id = $1 AND log_offset > $2
      AND ($3::TEXT[] IS NULL OR subject = ANY ($3))
      AND subject NOT LIKE 'internal.%'
    ORDER BY log_offset
    LIMIT $4
  ) AS page
) AS sized
WHERE bytes <= $5 OR number = 1
ORDER BY log_offset
