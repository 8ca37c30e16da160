-- As `enter_inbox` for several events of one tenant: those that are new get a row and are told. Always in one order, so that two who enter the
-- same ones wait for each other and not both.
INSERT INTO {schema}.inbox (topic, message_id, tenant_id, received_at)
SELECT told.topic, told.message_id, $1::TEXT, $4::TIMESTAMPTZ
FROM unnest($2::TEXT[], $3::TEXT[]) AS told (topic, message_id)
ORDER BY told.topic, told.message_id
ON CONFLICT DO NOTHING
RETURNING topic, message_id
