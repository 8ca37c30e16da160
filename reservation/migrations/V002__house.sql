-- What a house sells and how it works: room types, rooms, prices by the night, settings, cancellation policies.

CREATE TABLE reservation.room_types (
  tenant_id     TEXT NOT NULL,
  id            TEXT NOT NULL,
  property_id   TEXT NOT NULL,
  name          TEXT NOT NULL,
  max_occupancy INTEGER NOT NULL CHECK (max_occupancy BETWEEN 1 AND 100),
  -- NULL: sold at prices by the night alone
  base_rate     NUMERIC(38, 0) CHECK (base_rate >= 0),
  overbooking   INTEGER NOT NULL DEFAULT 0,
  version       INTEGER NOT NULL,
  updated_at    TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX rmt_property_idx ON reservation.room_types (tenant_id, property_id, id);

CREATE TABLE reservation.rooms (
  tenant_id     TEXT NOT NULL,
  id            TEXT NOT NULL,
  -- One number in the whole database: what the constraints on allocations compare.
  room_no       BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
  property_id   TEXT NOT NULL,
  -- NULL: not sold
  room_type_id  TEXT,
  number        TEXT,
  floor         TEXT,
  archived      BOOLEAN NOT NULL DEFAULT false,
  -- As housekeeping told last.
  housekeeping_status TEXT,
  housekeeping_flipped_at TIMESTAMPTZ,
  version       INTEGER NOT NULL,
  updated_at    TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX rom_property_idx ON reservation.rooms (tenant_id, property_id, id);
CREATE INDEX rom_type_idx ON reservation.rooms (tenant_id, room_type_id) WHERE room_type_id IS NOT NULL;

-- Prices and sell limits of single nights; a night without a row goes by its type.
CREATE TABLE reservation.type_nights (
  tenant_id    TEXT NOT NULL,
  room_type_id TEXT NOT NULL,
  night        DATE NOT NULL,
  overbooking  INTEGER,
  rate         NUMERIC(38, 0) CHECK (rate >= 0),
  PRIMARY KEY (tenant_id, room_type_id, night)
);

-- How a tenant works (property_id = ''), and what one house does differently.
CREATE TABLE reservation.settings (
  tenant_id   TEXT NOT NULL,
  property_id TEXT NOT NULL,
  "values"    JSONB NOT NULL,
  -- when each of them was said: of two that were told, the later counts
  said_at     JSONB NOT NULL,
  version     INTEGER NOT NULL,
  updated_at  TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, property_id)
);

-- A version never changes: what a guest was promised stays readable.
CREATE TABLE reservation.cancellation_policies (
  tenant_id  TEXT NOT NULL,
  version    TEXT NOT NULL,
  policy     JSONB NOT NULL,
  created_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, version)
);

DO $$
DECLARE
  name TEXT;
BEGIN
  FOREACH name IN ARRAY ARRAY['room_types', 'rooms', 'type_nights', 'settings', 'cancellation_policies'] LOOP
    EXECUTE format('ALTER TABLE reservation.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE reservation.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY %I ON reservation.%I USING (tenant_id = reservation.current_tenant_id())
      WITH CHECK (tenant_id = reservation.current_tenant_id())', name || '_tenant_isolation', name);
  END LOOP;
END
$$;

GRANT SELECT, INSERT, UPDATE ON reservation.room_types, reservation.rooms, reservation.type_nights, reservation.settings
  TO melmastoon_app;
GRANT SELECT, INSERT ON reservation.cancellation_policies TO melmastoon_app;
