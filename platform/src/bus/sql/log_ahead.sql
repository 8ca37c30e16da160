-- What waits for a broker goes into the log meanwhile, in its order; it stays in the outbox, unpublished.
WITH batch AS MATERIALIZED (
  SELECT o.id, o.event_id, o.tenant_id, o.property_id, o.subject, o.ordering_key,
         o.envelope_meta || jsonb_build_object('payload', o.payload) AS envelope
  FROM {schema}.outbox o
  WHERE o.published_at IS NULL AND NOT EXISTS (SELECT FROM bus.logged_ahead a WHERE a.event_id = o.event_id)
  ORDER BY o.id
  LIMIT $1
), logged AS (
  INSERT INTO bus.event_log (event_id, tenant_id, property_id, subject, ordering_key, envelope, published_at)
  SELECT event_id, tenant_id, property_id, subject, ordering_key, envelope, $2::TIMESTAMPTZ FROM batch ORDER BY id
  ON CONFLICT (event_id) DO NOTHING
), noted AS (
  INSERT INTO bus.logged_ahead (event_id, outbox, logged_at)
  SELECT event_id, '{schema}', $2 FROM batch
  ON CONFLICT DO NOTHING
)
SELECT count(*) FROM batch
