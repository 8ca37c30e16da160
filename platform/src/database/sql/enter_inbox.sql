-- The first copy of an event gets a row; every later one, and one that waits for the first to commit, gets none.
-- $2 is `tenant/event`. Rows of earlier releases have the event alone; of those the tenant sees its own.
INSERT INTO {schema}.inbox (topic, message_id, tenant_id, received_at)
SELECT $1, $2, $3, $4
WHERE NOT EXISTS (
  SELECT FROM {schema}.inbox WHERE topic = $1 AND message_id = substr($2, length($3) + 2) AND tenant_id = $3)
ON CONFLICT DO NOTHING
RETURNING 1 AS entered
