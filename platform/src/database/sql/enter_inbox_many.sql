-- As `enter_inbox` for several events of one tenant: those that are new get a row and are told. Always in one order, so that two who enter the
-- same ones wait for each other and not both. $5 are the events' own ids, as rows of earlier releases have them: cut out of $3 here, they would be
-- something that might leak, and each would be looked for among all that ever came of its topic. Asked for one by one, they are looked up by
-- the key whatever PostgreSQL takes the size of the inbox for.
INSERT INTO {schema}.inbox (topic, message_id, tenant_id, received_at)
SELECT told.topic, told.message_id, $1::TEXT, $4::TIMESTAMPTZ
FROM unnest($2::TEXT[], $3::TEXT[], $5::TEXT[]) AS told (topic, message_id, event_id)
WHERE (
  SELECT true FROM {schema}.inbox AS earlier
  WHERE earlier.topic = told.topic AND earlier.message_id = told.event_id AND earlier.tenant_id = $1) IS NULL
ORDER BY told.topic, told.message_id
ON CONFLICT DO NOTHING
RETURNING topic, message_id
