-- What a live board missed, looking at $4 of the tenant's events at most; the one that goes over $5 bytes is the last.
SELECT log_offset, subject, envelope
FROM (
  SELECT log_offset, subject, envelope, sum(octet_length(envelope)) OVER (ORDER BY log_offset) - octet_length(envelope) AS before
  FROM (
    SELECT log_offset, subject, envelope::TEXT AS envelope
    FROM (
      SELECT log_offset, subject, property_id, envelope
      FROM bus.event_log
      WHERE tenant_id = $1 AND log_offset > $2
      ORDER BY log_offset
      LIMIT $4
    ) AS since
    WHERE property_id = $3 OR (property_id IS NULL AND subject = 'internal.board.touched')
  ) AS told
) AS sized
WHERE before <= $5
ORDER BY log_offset
