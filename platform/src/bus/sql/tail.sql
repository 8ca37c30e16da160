-- What the listened-to tenants ($2) have in the log after $1; the envelopes of the listened-to properties ($3) only. It ends
-- at $4 rows, or where the envelopes go over $5 bytes.
SELECT log_offset, tenant_id, property_id, subject, envelope
FROM (
  SELECT log_offset, tenant_id, property_id, subject, envelope,
         sum(octet_length(coalesce(envelope, ''))) OVER (ORDER BY log_offset) AS bytes,
         row_number() OVER (ORDER BY log_offset) AS number
  FROM (
    SELECT log_offset, tenant_id, property_id, subject,
           CASE WHEN property_id = ANY ($3::TEXT[]) THEN envelope::TEXT END AS envelope
    FROM bus.event_log
    WHERE log_offset > $1 AND tenant_id = ANY ($2::TEXT[])
    ORDER BY log_offset
    LIMIT $4
  ) AS told
) AS sized
WHERE bytes <= $5 OR number = 1
ORDER BY log_offset
