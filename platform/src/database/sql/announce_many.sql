-- Everything a unit of work owes the world, in one statement: audit rows and outbox rows, in the order of the events.
WITH announced AS MATERIALIZED (
  SELECT e.event_id, e.subject, e.payload::JSONB AS payload, e.envelope_meta::JSONB AS envelope_meta,
         e.ordering_key, e.property_id, e.aggregate_kind, e.aggregate_id, e.to_everybody
  FROM unnest($2::TEXT[], $3::TEXT[], $4::TEXT[], $5::TEXT[], $6::TEXT[], $7::TEXT[], $8::TEXT[], $9::TEXT[],
              $12::BOOLEAN[])
    WITH ORDINALITY AS e (event_id, subject, payload, envelope_meta, ordering_key, property_id, aggregate_kind, aggregate_id,
                            to_everybody, n)
  ORDER BY e.n
), kept AS (
  INSERT INTO {schema}.audit_events (tenant_id, aggregate_id, aggregate_kind, event_id, subject, payload, occurred_at, actor)
  SELECT $1::TEXT, aggregate_id, aggregate_kind, event_id, subject, payload, $10::TIMESTAMPTZ, $11::JSONB
  FROM announced
), owed AS (
  INSERT INTO {schema}.outbox (event_id, tenant_id, subject, payload, envelope_meta, created_at, ordering_key, property_id)
  SELECT event_id, $1, subject, payload, envelope_meta, $10, ordering_key, property_id
  FROM announced
  WHERE to_everybody
)
SELECT true AS announced
