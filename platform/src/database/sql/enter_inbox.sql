-- The first copy of an event gets a row; every later one, and one that waits for the first to commit, gets none.
-- $2 is `tenant/event`.
INSERT INTO {schema}.inbox (topic, message_id, tenant_id, received_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT DO NOTHING
RETURNING 1 AS entered
