-- The board as it was composed last, if it still says what is so: nothing of the house was committed since, and no moment has come that
-- changes it by itself. Without its document where that is known ($4).
SELECT s.etag, s.generated_at, CASE WHEN s.etag = ANY ($4::TEXT[]) THEN NULL ELSE s.document END AS document
FROM housekeeping.board_snapshot_mat s
WHERE s.tenant_id = $1 AND s.property_id = $2 AND s.generated_at <= $3 AND s.steady_until > $3
  AND NOT EXISTS (SELECT FROM housekeeping.outbox o
                  WHERE o.tenant_id = $1 AND o.property_id = $2 AND o.txid >= pg_snapshot_xmin(s.seen)
                    AND NOT pg_visible_in_snapshot(o.txid, s.seen))
  AND NOT EXISTS (SELECT FROM housekeeping.outbox o
                  WHERE o.tenant_id = $1 AND o.property_id IS NULL AND o.txid >= pg_snapshot_xmin(s.seen)
                    AND NOT pg_visible_in_snapshot(o.txid, s.seen))
