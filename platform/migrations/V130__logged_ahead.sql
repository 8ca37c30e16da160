-- Events that are in the log already, and so in feed, live boards and webhooks, while a broker has still to take them. They stay in their
-- outbox, unpublished, and leave this list with their publication.
CREATE TABLE bus.logged_ahead (
  event_id  TEXT NOT NULL PRIMARY KEY,
  outbox    TEXT NOT NULL,
  logged_at TIMESTAMPTZ NOT NULL
);
ALTER TABLE bus.logged_ahead ENABLE ROW LEVEL SECURITY;
ALTER TABLE bus.logged_ahead FORCE ROW LEVEL SECURITY;
CREATE POLICY la_relay ON bus.logged_ahead TO melmastoon_relay USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON bus.logged_ahead TO melmastoon_relay;
