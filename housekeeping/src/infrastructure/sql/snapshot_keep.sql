-- $8: somebody asked for it; NULL: it was composed without being asked for.
INSERT INTO housekeeping.board_snapshot_mat AS known
  (tenant_id, property_id, etag, document, seen, generated_at, steady_until, asked_at)
VALUES ($1, $2, $3, $4, $5::TEXT::PG_SNAPSHOT, $6::TIMESTAMPTZ, $7, coalesce($8::TIMESTAMPTZ, $6))
ON CONFLICT (tenant_id, property_id) DO UPDATE SET
  etag = excluded.etag, document = excluded.document, seen = excluded.seen, generated_at = excluded.generated_at,
  steady_until = excluded.steady_until, asked_at = coalesce($8, known.asked_at)
WHERE known.generated_at <= excluded.generated_at
