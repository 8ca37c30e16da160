-- A batch from the outbox into the log, and a delivery for each subscription that listens, in one statement.
-- Who listens is what the table says now, whichever release this relay is of. $3: the embedded bus delivers; a broker does not.
-- $4: only the rows in these ranges (those a broker has taken, $1 of them), or NULL for the oldest $1. What is in the log already, since a broker was away, is not
-- written there twice, and is delivered all the same where the embedded bus has taken the broker's place. Both tables are empty but for bad days:
-- asked once, they are not looked up for each row.
WITH batch AS MATERIALIZED (
  SELECT id, event_id, tenant_id, property_id, subject, ordering_key,
         envelope_meta || jsonb_build_object('payload', payload) AS envelope
  FROM {schema}.outbox
  WHERE published_at IS NULL AND ($4::TEXT IS NULL OR id <@ (SELECT $4::TEXT::INT8MULTIRANGE))
  ORDER BY id
  LIMIT $1
), logged AS (
  INSERT INTO bus.event_log (event_id, tenant_id, property_id, subject, ordering_key, envelope, published_at)
  SELECT event_id, tenant_id, property_id, subject, ordering_key, envelope, $2::TIMESTAMPTZ FROM batch ORDER BY id
  ON CONFLICT (event_id) DO NOTHING
  RETURNING log_offset, tenant_id, subject, ordering_key
), ahead AS (
  DELETE FROM bus.logged_ahead a USING batch b WHERE a.event_id = b.event_id AND EXISTS (SELECT FROM bus.logged_ahead)
  RETURNING a.event_id
), delivered AS (
  INSERT INTO bus.deliveries (subscription, log_offset, tenant_id, ordering_key, next_attempt_at)
  SELECT s.subscription, l.log_offset, l.tenant_id, l.ordering_key, $2
  FROM (SELECT * FROM logged
        UNION ALL
        SELECT e.log_offset, e.tenant_id, e.subject, e.ordering_key FROM ahead a JOIN bus.event_log e ON e.event_id = a.event_id) AS l
  JOIN bus.subscriptions s ON s.subject = l.subject AND s.retired_at IS NULL
  WHERE $3::BOOLEAN
), taken_after_all AS (
  DELETE FROM bus.set_aside a USING batch b WHERE a.event_id = b.event_id AND EXISTS (SELECT FROM bus.set_aside)
), marked AS (
  UPDATE {schema}.outbox o SET published_at = $2, attempts = o.attempts + 1 FROM batch b WHERE o.id = b.id
)
SELECT count(*) FROM batch
