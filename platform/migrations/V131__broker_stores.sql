-- The stores of the broker as the relays left them. One that was made at another time has lost what it held: what was published lately goes
-- out again from the log.
CREATE TABLE bus.broker_stores (
  name    TEXT NOT NULL PRIMARY KEY,
  made    TEXT NOT NULL,
  seen_at TIMESTAMPTZ NOT NULL
);
ALTER TABLE bus.broker_stores ENABLE ROW LEVEL SECURITY;
ALTER TABLE bus.broker_stores FORCE ROW LEVEL SECURITY;
CREATE POLICY bs_relay ON bus.broker_stores TO melmastoon_relay USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON bus.broker_stores TO melmastoon_relay;
