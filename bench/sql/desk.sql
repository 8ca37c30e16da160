-- A house of 50 kinds of rooms, ten of each, four fifths of them taken for a year; and one of 200 rooms for the chart. Holds are made
-- beyond that year, where everything is free.

INSERT INTO reservation.tenant_secrets (tenant_id, salt) VALUES ('tnt_DESK', repeat('a1', 32));

INSERT INTO reservation.room_types (tenant_id, id, property_id, name, max_occupancy, base_rate, overbooking, version, updated_at)
SELECT 'tnt_DESK', 'rmt_' || lpad(t::TEXT, 2, '0'), 'prp_DESK', 'Kind ' || t, 3, 100000000, 0, 1, now() FROM generate_series(0, 49) t;
INSERT INTO reservation.room_types (tenant_id, id, property_id, name, max_occupancy, base_rate, overbooking, version, updated_at)
VALUES ('tnt_DESK', 'rmt_CHART', 'prp_CHART', 'Double', 3, 100000000, 0, 1, now());

INSERT INTO reservation.rooms (tenant_id, id, property_id, room_type_id, number, floor, archived, version, updated_at)
SELECT 'tnt_DESK', 'rom_' || lpad(t::TEXT, 2, '0') || lpad(n::TEXT, 2, '0'), 'prp_DESK', 'rmt_' || lpad(t::TEXT, 2, '0'),
       lpad(t::TEXT, 2, '0') || lpad(n::TEXT, 2, '0'), '1', false, 1, now()
FROM generate_series(0, 49) t, generate_series(0, 9) n;
INSERT INTO reservation.rooms (tenant_id, id, property_id, room_type_id, number, floor, archived, version, updated_at)
SELECT 'tnt_DESK', 'rom_C' || n, 'prp_CHART', 'rmt_CHART', n::TEXT, '1', false, 1, now() FROM generate_series(1, 200) n;

-- Stays of four nights with one idle night behind them.
CREATE TEMPORARY TABLE stays AS
SELECT 'rsv_D' || row_number() OVER () AS id, r.id AS room, r.room_no, r.room_type_id, r.property_id,
       current_date + s * 5 + (r.room_no % 5)::INTEGER AS starts
FROM reservation.rooms r, generate_series(0, 72) s WHERE r.tenant_id = 'tnt_DESK' AND (r.property_id = 'prp_DESK' OR s < 12);

INSERT INTO reservation.guests (tenant_id, id, name, locale, updated_at)
SELECT 'tnt_DESK', 'gst_' || substr(id, 5), 'Guest ' || id, 'ps-AF', now() FROM stays;
INSERT INTO reservation.reservations
  (tenant_id, id, property_id, code, status, channel, guest_id, starts, ends, body, version, created_at, updated_at)
SELECT 'tnt_DESK', id, property_id, 'GM-' || id, 'confirmed', 'direct', 'gst_' || substr(id, 5), starts, starts + 4, '{}', 2, now(), now() FROM stays;
INSERT INTO reservation.room_allocations
  (tenant_id, id, property_id, reservation_id, item_id, room_type_id, room_id, room_no, nights)
SELECT 'tnt_DESK', 'alc_' || substr(id, 5), property_id, id, 'item', room_type_id, room, room_no, daterange(starts, starts + 4) FROM stays;
DROP TABLE stays;
GRANT USAGE ON SCHEMA bench TO PUBLIC;

CREATE SEQUENCE bench.holds;
GRANT USAGE ON SEQUENCE bench.holds TO PUBLIC;

-- What an event owes: its rows in audit and outbox, with an envelope as long as ours.
CREATE FUNCTION bench.desk_event(rsv TEXT, subject TEXT, body JSONB) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  event TEXT := 'evt_' || lpad((extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT::TEXT, 18, '0') || lpad(nextval('bench.holds')::TEXT, 8, '0');
  actor JSONB := '{"type":"staff","id":"usr_DESK"}';
BEGIN
  INSERT INTO reservation.audit_events (tenant_id, aggregate_id, aggregate_kind, event_id, subject, payload, occurred_at, actor)
  VALUES ('tnt_DESK', rsv, 'reservation', event, subject, body, clock_timestamp(), actor);
  INSERT INTO reservation.outbox (event_id, tenant_id, subject, payload, envelope_meta, created_at, ordering_key, property_id)
  VALUES (event, 'tnt_DESK', subject, body, jsonb_build_object('eventId', event, 'eventType', subject, 'eventVersion', 1, 'schemaUri',
    'https://schemas.melmastoon.io/reservation/held/v1.json', 'tenantId', 'tnt_DESK', 'correlationId', 'req_01KPTDV30V8VKEYM2XP6Z3R000',
    'actorId', 'usr_DESK', 'occurredAt', clock_timestamp(), 'producedBy', '{"service":"reservation-service"}'::JSONB, 'traceparent',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'metadata', '{"retentionClass":"regulated","dataResidency":"gcp-me-central1"}'::JSONB),
    clock_timestamp(), 'tnt_DESK:' || rsv, 'prp_DESK');
END
$$;

-- A hold in one call: the same reads, locks and writes as the product's.
CREATE FUNCTION bench.hold() RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  n      BIGINT := nextval('bench.holds');
  kind   TEXT := 'rmt_' || lpad((random() * 49)::INTEGER::TEXT, 2, '0');
  first  DATE := current_date + 400 + (random() * 300)::INTEGER;
  rsv    TEXT := 'rsv_L' || n;
  gst    TEXT := 'gst_L' || n;
  room   RECORD;
  said   TEXT := repeat('x', 1200);
BEGIN
  PERFORM set_config('app.tenant_id', 'tnt_DESK', true);
  PERFORM "values" FROM reservation.settings WHERE tenant_id = 'tnt_DESK' AND property_id IN ('', 'prp_DESK');
  PERFORM policy FROM reservation.cancellation_policies WHERE tenant_id = 'tnt_DESK' ORDER BY created_at, version;
  PERFORM property_id FROM reservation.closed_houses WHERE tenant_id = 'tnt_DESK' AND property_id = 'prp_DESK';
  PERFORM id FROM reservation.room_types WHERE tenant_id = 'tnt_DESK' AND id = kind FOR NO KEY UPDATE;
  PERFORM id FROM reservation.room_blocks WHERE tenant_id = 'tnt_DESK' AND lifted_at IS NULL;
  PERFORM rate FROM reservation.type_nights WHERE tenant_id = 'tnt_DESK' AND room_type_id = kind AND night >= first AND night < first + 2;
  SELECT r.id, r.room_no INTO STRICT room FROM reservation.rooms r
  WHERE r.tenant_id = 'tnt_DESK' AND r.room_type_id = kind AND NOT r.archived AND NOT EXISTS (
    SELECT FROM reservation.room_allocations a WHERE a.tenant_id = 'tnt_DESK' AND a.room_id = r.id AND a.released_at IS NULL
      AND a.ends > first AND a.starts < first + 2)
  ORDER BY r.number LIMIT 1;
  PERFORM salt FROM reservation.tenant_secrets WHERE tenant_id = 'tnt_DESK';
  PERFORM id FROM reservation.reservations WHERE tenant_id = 'tnt_DESK' AND code = 'GM-' || n;
  INSERT INTO reservation.guests (tenant_id, id, name, email, phone, locale, email_hash, phone_hash, updated_at)
  VALUES ('tnt_DESK', gst, 'Zarmina Noori', 'zarmina@example.com', '+93700123456', 'ps-AF', repeat('e', 64), repeat('f', 64), now());
  INSERT INTO reservation.room_allocations (tenant_id, id, property_id, reservation_id, item_id, room_type_id, room_id, room_no, nights, pinned)
  VALUES ('tnt_DESK', 'alc_L' || n, 'prp_DESK', rsv, 'item', kind, room.id, room.room_no, daterange(first, first + 2), false);
  INSERT INTO reservation.timers (tenant_id, reservation_id, kind, due_at) VALUES ('tnt_DESK', rsv, 'hold_expiry', now() + interval '10 minutes');
  INSERT INTO reservation.reservations
    (tenant_id, id, property_id, code, status, channel, guest_id, starts, ends, body, version, created_at, updated_at)
  VALUES ('tnt_DESK', rsv, 'prp_DESK', 'GM-' || n, 'held', 'phone_by_staff', gst, first, first + 2, jsonb_build_object('said', said), 1, now(), now());
  PERFORM bench.desk_event(rsv, 'melmastoon.reservation.held.v1', jsonb_build_object('said', left(said, 750)));
  RETURN rsv;
END
$$;

CREATE FUNCTION bench.confirm(rsv TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  row RECORD;
BEGIN
  PERFORM set_config('app.tenant_id', 'tnt_DESK', true);
  PERFORM id FROM reservation.reservations WHERE tenant_id = 'tnt_DESK' AND id = rsv FOR UPDATE;
  SELECT r.body, r.version, r.guest_id,
    (SELECT jsonb_agg(a.id) FROM reservation.room_allocations a WHERE a.tenant_id = 'tnt_DESK' AND a.reservation_id = rsv) AS places,
    (SELECT jsonb_agg(f.body) FROM reservation.facts f WHERE f.tenant_id = 'tnt_DESK' AND f.reservation_id = rsv) AS facts
  INTO STRICT row FROM reservation.reservations r WHERE r.tenant_id = 'tnt_DESK' AND r.id = rsv;
  PERFORM "values" FROM reservation.settings WHERE tenant_id = 'tnt_DESK' AND property_id IN ('', 'prp_DESK');
  PERFORM policy FROM reservation.cancellation_policies WHERE tenant_id = 'tnt_DESK' ORDER BY created_at, version;
  PERFORM property_id FROM reservation.closed_houses WHERE tenant_id = 'tnt_DESK' AND property_id = 'prp_DESK';
  PERFORM name FROM reservation.guests WHERE tenant_id = 'tnt_DESK' AND id = row.guest_id;
  UPDATE reservation.reservations SET version = 2, status = 'confirmed', body = row.body, updated_at = now()
  WHERE tenant_id = 'tnt_DESK' AND id = rsv AND version = 1;
  INSERT INTO reservation.timers (tenant_id, reservation_id, kind, due_at) VALUES ('tnt_DESK', rsv, 'no_show', now() + interval '400 days')
  ON CONFLICT (tenant_id, reservation_id, kind) DO UPDATE SET due_at = excluded.due_at;
  DELETE FROM reservation.timers WHERE tenant_id = 'tnt_DESK' AND reservation_id = rsv AND kind IN ('hold_expiry', 'overstay');
  PERFORM bench.desk_event(rsv, 'melmastoon.reservation.confirmed.v1', jsonb_build_object('said', repeat('y', 700)));
END
$$;
