-- Which signing key and which PIN secret this hotel works with: fingerprints, which tell nobody the secret. Machines that have others are told so.
CREATE TABLE bus.secrets_in_use (
  -- 'signing-key', 'pin-secret': the file's name
  what        TEXT NOT NULL PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  noted_at    TIMESTAMPTZ NOT NULL
);
ALTER TABLE bus.secrets_in_use ENABLE ROW LEVEL SECURITY;
ALTER TABLE bus.secrets_in_use FORCE ROW LEVEL SECURITY;
CREATE POLICY siu_relay ON bus.secrets_in_use TO melmastoon_relay USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON bus.secrets_in_use TO melmastoon_relay;
