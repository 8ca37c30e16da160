-- Boards that show something else after this commit though no event tells it: a row for each property, or one without a
-- property for all of the tenant's. The relay takes it into the log; only live boards see it.
INSERT INTO {schema}.outbox (event_id, tenant_id, subject, payload, envelope_meta, created_at, ordering_key, property_id)
SELECT t.event_id, $1::TEXT, 'internal.board.touched', jsonb_build_object('kind', 'touched', 'propertyId', t.property_id), '{}',
       $2::TIMESTAMPTZ, $1 || ':board', t.property_id
FROM unnest($3::TEXT[], $4::TEXT[]) AS t (event_id, property_id)
