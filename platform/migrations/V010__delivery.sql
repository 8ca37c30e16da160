-- Events that the broker is never going to take (too large, refused), each with its reason. They stay in their outbox, unpublished,
-- and hold up no other. Published after all, they leave this list.
CREATE TABLE bus.set_aside (
  event_id     TEXT NOT NULL PRIMARY KEY,
  outbox       TEXT NOT NULL,
  subject      TEXT NOT NULL,
  ordering_key TEXT NOT NULL,
  reason       TEXT NOT NULL,
  set_aside_at TIMESTAMPTZ NOT NULL
);
ALTER TABLE bus.set_aside ENABLE ROW LEVEL SECURITY;
ALTER TABLE bus.set_aside FORCE ROW LEVEL SECURITY;
CREATE POLICY sa_relay ON bus.set_aside TO melmastoon_relay USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON bus.set_aside TO melmastoon_relay;
