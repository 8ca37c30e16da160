-- What happens by itself with time: when it ran last, what it did, when it is due again.
-- Whoever runs a tick holds its row locked; a process that dies frees it with its connection.
CREATE TABLE bus.ticks (
  name         TEXT NOT NULL PRIMARY KEY,
  last_run_at  TIMESTAMPTZ,
  last_outcome TEXT,
  last_failed  BOOLEAN NOT NULL DEFAULT false,
  -- NULL: never run, due at once
  due_at       TIMESTAMPTZ
);
ALTER TABLE bus.ticks ENABLE ROW LEVEL SECURITY;
ALTER TABLE bus.ticks FORCE ROW LEVEL SECURITY;
CREATE POLICY tk_relay ON bus.ticks TO melmastoon_relay USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON bus.ticks TO melmastoon_relay;
