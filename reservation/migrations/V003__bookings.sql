-- Quotes, reservations, who has which room on which nights, what others told, and when something is due by itself.

CREATE TABLE reservation.quotes (
  tenant_id   TEXT NOT NULL,
  id          TEXT NOT NULL,
  property_id TEXT NOT NULL,
  body        JSONB NOT NULL,
  expires_at  TIMESTAMPTZ NOT NULL,
  version     INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id)
);

-- Name, e-mail and telephone stand here and nowhere else.
CREATE TABLE reservation.guests (
  tenant_id  TEXT NOT NULL,
  id         TEXT NOT NULL,
  name       TEXT,
  email      TEXT,
  phone      TEXT,
  locale     TEXT NOT NULL,
  email_hash TEXT,
  phone_hash TEXT,
  erased_at  TIMESTAMPTZ,
  updated_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX gst_email_idx ON reservation.guests (tenant_id, email_hash) WHERE email_hash IS NOT NULL;
CREATE INDEX gst_phone_idx ON reservation.guests (tenant_id, phone_hash) WHERE phone_hash IS NOT NULL;

CREATE TABLE reservation.tenant_secrets (
  tenant_id TEXT NOT NULL PRIMARY KEY,
  salt      TEXT NOT NULL
);

CREATE TABLE reservation.reservations (
  tenant_id          TEXT NOT NULL,
  id                 TEXT NOT NULL,
  property_id        TEXT NOT NULL,
  code               TEXT NOT NULL,
  status             TEXT NOT NULL CHECK (status IN ('held','confirmed','check_in_started','checked_in','checkout_started',
                                                     'checked_out','cancelled','no_show','expired')),
  channel            TEXT NOT NULL,
  partner_id         TEXT,
  external_reference TEXT,
  group_code         TEXT,
  guest_id           TEXT NOT NULL,
  starts             DATE NOT NULL,
  ends               DATE NOT NULL CHECK (ends > starts),
  -- The aggregate itself; the columns around it are what lists and rules look at.
  body               JSONB NOT NULL,
  version            INTEGER NOT NULL,
  created_at         TIMESTAMPTZ NOT NULL,
  updated_at         TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX rsv_code_idx ON reservation.reservations (tenant_id, code);
CREATE UNIQUE INDEX rsv_reference_idx ON reservation.reservations (tenant_id, coalesce(partner_id, ''), external_reference)
  WHERE external_reference IS NOT NULL;
CREATE INDEX rsv_arrivals_idx ON reservation.reservations (tenant_id, property_id, starts) WHERE status IN ('confirmed','check_in_started');
CREATE INDEX rsv_in_house_idx ON reservation.reservations (tenant_id, property_id, ends) WHERE status IN ('checked_in','checkout_started');
CREATE INDEX rsv_guest_idx ON reservation.reservations (tenant_id, guest_id);

-- Who has which room on which nights. The database refuses a room-night that is given twice, whatever the code does: room
-- numbers are unique in the whole database, and a range of one number meets another only where they are the same. No
-- extension is needed for it. Deferrable, so that rooms can be exchanged in one statement.
CREATE TABLE reservation.room_allocations (
  tenant_id      TEXT NOT NULL,
  id             TEXT NOT NULL,
  property_id    TEXT NOT NULL,
  reservation_id TEXT NOT NULL,
  item_id        TEXT NOT NULL,
  -- as it was sold
  room_type_id   TEXT NOT NULL,
  room_id        TEXT,
  room_no        BIGINT,
  nights         DATERANGE NOT NULL CHECK (NOT isempty(nights)),
  pinned         BOOLEAN NOT NULL DEFAULT false,
  occupied       BOOLEAN NOT NULL DEFAULT false,
  released_at    TIMESTAMPTZ,
  PRIMARY KEY (tenant_id, id),
  CHECK ((room_id IS NULL) = (room_no IS NULL)),
  CHECK (NOT (occupied AND released_at IS NOT NULL)),
  CONSTRAINT no_room_twice EXCLUDE USING gist (int8range(room_no, room_no, '[]') WITH &&, nights WITH &&)
    WHERE (released_at IS NULL AND room_no IS NOT NULL) DEFERRABLE INITIALLY IMMEDIATE,
  CONSTRAINT one_party_in_a_room EXCLUDE USING btree (room_no WITH =) WHERE (occupied) DEFERRABLE INITIALLY IMMEDIATE
);
CREATE INDEX alc_reservation_idx ON reservation.room_allocations (tenant_id, reservation_id);
CREATE INDEX alc_property_idx ON reservation.room_allocations (tenant_id, property_id, upper(nights)) WHERE released_at IS NULL;

-- Rooms that cannot be used. They lie beside allocations: a room can break with a guest in it.
CREATE TABLE reservation.room_blocks (
  tenant_id  TEXT NOT NULL,
  id         TEXT NOT NULL,
  room_id    TEXT NOT NULL,
  starts     DATE NOT NULL,
  -- NULL: until further notice
  ends       DATE,
  reason     TEXT,
  by_event   BOOLEAN NOT NULL,
  created_at TIMESTAMPTZ NOT NULL,
  lifted_at  TIMESTAMPTZ,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX blk_room_idx ON reservation.room_blocks (tenant_id, room_id) WHERE lifted_at IS NULL;

-- What others told of a reservation: money, keys, allocations. Mirrors, not decisions.
CREATE TABLE reservation.facts (
  tenant_id      TEXT NOT NULL,
  reservation_id TEXT NOT NULL,
  kind           TEXT NOT NULL,
  -- the transaction or the event
  key            TEXT NOT NULL,
  seq            BIGINT GENERATED ALWAYS AS IDENTITY,
  body           JSONB NOT NULL,
  told_at        TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, reservation_id, kind, key)
);

-- What is due by itself. Whoever finds it judges anew; the operator's role sees when, and for whom.
CREATE TABLE reservation.timers (
  tenant_id      TEXT NOT NULL,
  reservation_id TEXT NOT NULL,
  kind           TEXT NOT NULL CHECK (kind IN ('hold_expiry','no_show')),
  due_at         TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, reservation_id, kind)
);
CREATE INDEX tmr_due_idx ON reservation.timers (due_at);

DO $$
DECLARE
  name TEXT;
BEGIN
  FOREACH name IN ARRAY ARRAY['quotes', 'guests', 'tenant_secrets', 'reservations', 'room_allocations', 'room_blocks', 'facts', 'timers'] LOOP
    EXECUTE format('ALTER TABLE reservation.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE reservation.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY %I ON reservation.%I USING (tenant_id = reservation.current_tenant_id())
      WITH CHECK (tenant_id = reservation.current_tenant_id())', name || '_tenant_isolation', name);
  END LOOP;
END
$$;
CREATE POLICY quotes_retention ON reservation.quotes TO melmastoon_operator
  USING (expires_at < bus.purge_moment() - interval '90 days');
CREATE POLICY timers_operator ON reservation.timers FOR SELECT TO melmastoon_operator USING (true);

GRANT SELECT, INSERT, UPDATE ON reservation.quotes, reservation.guests, reservation.reservations, reservation.room_allocations,
  reservation.room_blocks TO melmastoon_app;
GRANT SELECT, INSERT ON reservation.tenant_secrets, reservation.facts TO melmastoon_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON reservation.timers TO melmastoon_app;
GRANT SELECT, DELETE ON reservation.quotes TO melmastoon_operator;
GRANT SELECT ON reservation.timers TO melmastoon_operator;
