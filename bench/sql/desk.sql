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

-- What an event owes: its rows in audit and outbox, with payload and envelope as the product writes them; the payload is read once.
CREATE FUNCTION bench.desk_event(rsv TEXT, what TEXT, told TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  event TEXT := 'evt_' || lpad((extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT::TEXT, 18, '0') || lpad(nextval('bench.holds')::TEXT, 8, '0');
  meta  JSONB := '{"eventId":"' || event || '","eventType":"' || what || '","eventVersion":1,"schemaUri":"https://schemas.melmastoon.io/reservation/held/v1.json","tenantId":"tnt_DESK","correlationId":"req_01KPTDV30V8VKEYM2XP6Z3R000","actorId":"usr_DESK","occurredAt":"2026-04-22T08:00:00.000Z","producedBy":{"service":"reservation-service"},"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01","metadata":{"orderingKey":"tnt_DESK:' || rsv || '","retentionClass":"regulated","dataResidency":"gcp-me-central1"}}';
BEGIN
  WITH kept AS (
    INSERT INTO reservation.audit_events (tenant_id, aggregate_id, aggregate_kind, event_id, subject, payload, occurred_at, actor)
    VALUES ('tnt_DESK', rsv, 'reservation', event, what, told::JSONB, clock_timestamp(), '{"type":"staff","id":"usr_DESK"}')
    RETURNING payload
  )
  INSERT INTO reservation.outbox (event_id, tenant_id, subject, payload, envelope_meta, created_at, ordering_key, property_id)
  SELECT event, 'tnt_DESK', what, kept.payload, meta, clock_timestamp(), 'tnt_DESK:' || rsv, 'prp_DESK' FROM kept;
END
$$;

-- A hold in one call: the same reads, locks and writes as the product's, which owes each of them. Rooms are found by the same rule (free, fewest
-- idle nights beside it, then by number; whoever waits for a room would go first), rows are as long and as rich as the product's.
CREATE FUNCTION bench.hold() RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  n      BIGINT := nextval('bench.holds');
  kind   TEXT := 'rmt_' || lpad((random() * 49)::INTEGER::TEXT, 2, '0');
  first  DATE := current_date + 400 + (random() * 300)::INTEGER;
  last   DATE := first + 2;
  rsv    TEXT := 'rsv_' || lpad(n::TEXT, 26, '0');
  gst    TEXT := 'gst_' || lpad(n::TEXT, 26, '0');
  item   TEXT := lpad(n::TEXT, 26, '0');
  nights TEXT := '{"start":"' || first || '","end":"' || last || '"';
  guest  TEXT := '"locale":"ps-AF","contact_hash":{"email":"a48e2d9a124c14882ef4bb3a6abc43e9e7a96a412590c33ffa2de9d363f44f47","phone":"18a32a970da17c8b3b8b77c1184e2eaced8325363db346950f92f1da54cae2d5"}}';
  room   RECORD;
BEGIN
  PERFORM set_config('app.tenant_id', 'tnt_DESK', true);
  PERFORM "values" FROM reservation.settings WHERE tenant_id = 'tnt_DESK' AND property_id IN ('', 'prp_DESK');
  PERFORM policy FROM reservation.cancellation_policies WHERE tenant_id = 'tnt_DESK';
  PERFORM property_id FROM reservation.closed_houses WHERE tenant_id = 'tnt_DESK' AND property_id = 'prp_DESK';
  PERFORM id FROM reservation.room_types WHERE tenant_id = 'tnt_DESK' AND id = kind FOR NO KEY UPDATE;
  PERFORM id FROM reservation.room_blocks WHERE tenant_id = 'tnt_DESK' AND lifted_at IS NULL;
  PERFORM rate FROM reservation.type_nights WHERE tenant_id = 'tnt_DESK' AND room_type_id = kind AND night >= first AND night < last;
  PERFORM id FROM reservation.room_allocations
  WHERE tenant_id = 'tnt_DESK' AND property_id = 'prp_DESK' AND released_at IS NULL AND room_no IS NULL AND room_type_id = kind;
  SELECT r.id, r.room_no INTO STRICT room FROM reservation.rooms r
  CROSS JOIN LATERAL (
    SELECT coalesce(bool_or(a.ends > first AND a.starts < last), false) AS taken,
           coalesce(min(first - a.ends) FILTER (WHERE a.ends <= first), 30) + coalesce(min(a.starts - last) FILTER (WHERE a.starts >= last), 30) AS idle
    FROM reservation.room_allocations a
    WHERE a.tenant_id = 'tnt_DESK' AND a.room_id = r.id AND a.released_at IS NULL AND a.ends > first - 30 AND a.starts < last + 30
  ) AS beside
  WHERE r.tenant_id = 'tnt_DESK' AND r.room_type_id = kind AND NOT r.archived AND NOT beside.taken
  ORDER BY beside.idle, length(r.number), r.number LIMIT 1;
  PERFORM salt FROM reservation.tenant_secrets WHERE tenant_id = 'tnt_DESK';
  PERFORM id FROM reservation.reservations WHERE tenant_id = 'tnt_DESK' AND code = 'GM-' || n;
  INSERT INTO reservation.guests (tenant_id, id, name, email, phone, locale, email_hash, phone_hash, updated_at)
  VALUES ('tnt_DESK', gst, 'Zarmina Noori', 'zarmina@example.com', '+93700123456', 'ps-AF', repeat('e', 64), repeat('f', 64), now());
  INSERT INTO reservation.room_allocations (tenant_id, id, property_id, reservation_id, item_id, room_type_id, room_id, room_no, nights, pinned)
  VALUES ('tnt_DESK', 'alc_' || item, 'prp_DESK', rsv, item, kind, room.id, room.room_no, daterange(first, last), false);
  INSERT INTO reservation.timers (tenant_id, reservation_id, kind, due_at) VALUES ('tnt_DESK', rsv, 'hold_expiry', now() + interval '10 minutes');
  INSERT INTO reservation.reservations
    (tenant_id, id, property_id, code, status, channel, guest_id, starts, ends, body, version, created_at, updated_at)
  VALUES ('tnt_DESK', rsv, 'prp_DESK', 'GM-' || n, 'held', 'phone_by_staff', gst, first, last,
    ('{"id":"' || rsv || '","code":"GM-' || n || '","hold":{"hold_id":"hld_' || item || '","placed_at":"2026-04-22T08:00:00.000Z","expires_at":"2026-04-22T08:10:00.000Z","ttl_seconds":600},"stay":' || nights || '},"guest":{"guest_id":"' || gst || '",' || guest || ',"items":[{"id":"' || item || '","active":true,"occupants":{"adults":2,"infants":0,"children":0},"room_type_id":"' || kind || '","nightly_rates":["100000000","100000000"]}],"policy":{"name":"flexible-24h","tiers":[{"hoursBefore":24,"penaltyNights":0},{"hoursBefore":0,"penaltyNights":1}],"noShow":{"penaltyNights":1},"version":"1","overstay":{"penaltyPpm":1000000},"earlyCheckout":{"penaltyNights":1}},"status":"held","channel":"phone_by_staff","charges":[],"tax_ppm":0,"currency":"AFN","folio_id":"fol_' || item || '","created_at":"2026-04-22T08:00:00.000Z","created_by":{"id":"usr_DESK","type":"staff"},"left_early":false,"updated_at":"2026-04-22T08:00:00.000Z","deposit_ppm":0,"property_id":"prp_DESK","pending_cash":false,"desk_payments":[],"refunded_told":"0","early_check_in":false,"house_currency":"AFN","overstayed_nights":0,"refunds_requested":{}}')::JSONB,
    1, now(), now());
  PERFORM bench.desk_event(rsv, 'melmastoon.reservation.held.v1',
    '{"hold":{"placedAt":"2026-04-22T08:00:00.000Z","expiresAt":"2026-04-22T08:10:00.000Z","ttlSeconds":600},"items":[{"itemId":"' || item || '","currency":"AFN","occupants":{"adults":2,"infants":0,"children":0},"roomTypeId":"' || kind || '","nightlyRateMicro":"100000000"}],"totals":{"currency":"AFN","grandTotalMicro":"200000000"},"channel":"phone_by_staff","tenantId":"tnt_DESK","createdBy":{"id":"usr_DESK","type":"staff"},"occurredAt":"2026-04-22T08:00:00.000Z","propertyId":"ppt_DESK","stayWindow":' || nights || ',"nights":2},"primaryGuest":{"guestId":"' || gst || '",' || guest || ',"reservationId":"' || rsv || '","reservationCode":"GM-' || n || '","aggregateVersion":1}');
  RETURN rsv;
END
$$;

CREATE FUNCTION bench.confirm(rsv TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  row   RECORD;
BEGIN
  PERFORM set_config('app.tenant_id', 'tnt_DESK', true);
  PERFORM id FROM reservation.reservations WHERE tenant_id = 'tnt_DESK' AND id = rsv FOR UPDATE;
  SELECT r.body, r.version, r.guest_id,
    (SELECT jsonb_agg(a.id) FROM reservation.room_allocations a WHERE a.tenant_id = 'tnt_DESK' AND a.reservation_id = rsv) AS places,
    (SELECT jsonb_agg(f.body) FROM reservation.facts f WHERE f.tenant_id = 'tnt_DESK' AND f.reservation_id = rsv) AS facts
  INTO STRICT row FROM reservation.reservations r WHERE r.tenant_id = 'tnt_DESK' AND r.id = rsv;
  PERFORM "values" FROM reservation.settings WHERE tenant_id = 'tnt_DESK' AND property_id IN ('', 'prp_DESK');
  PERFORM policy FROM reservation.cancellation_policies WHERE tenant_id = 'tnt_DESK';
  PERFORM property_id FROM reservation.closed_houses WHERE tenant_id = 'tnt_DESK' AND property_id = 'prp_DESK';
  PERFORM name FROM reservation.guests WHERE tenant_id = 'tnt_DESK' AND id = row.guest_id;
  UPDATE reservation.reservations SET version = 2, status = 'confirmed',
    body = row.body || '{"method":"cash_on_arrival","status":"confirmed","pending_cash":true,"updated_at":"2026-04-22T08:01:00.000Z"}', updated_at = now()
  WHERE tenant_id = 'tnt_DESK' AND id = rsv AND version = 1;
  INSERT INTO reservation.timers (tenant_id, reservation_id, kind, due_at) VALUES ('tnt_DESK', rsv, 'no_show', now() + interval '400 days')
  ON CONFLICT (tenant_id, reservation_id, kind) DO UPDATE SET due_at = excluded.due_at;
  DELETE FROM reservation.timers WHERE tenant_id = 'tnt_DESK' AND reservation_id = rsv AND kind IN ('hold_expiry', 'overstay');
  PERFORM bench.desk_event(rsv, 'melmastoon.reservation.confirmed.v1',
    '{"totals":{"currency":"AFN","grandTotalMicro":"200000000"},"channel":{"channel":"phone_by_staff"},"payment":{"method":"cash_on_arrival","status":"pending_cash","capturedMicro":"0","paymentIntentIds":[]},"tenantId":"tnt_DESK","propertyId":"ppt_DESK","stayWindow":{"end":"2027-12-24","start":"2027-12-22","nights":2},"confirmedAt":"2026-04-22T08:01:00.000Z","primaryGuest":{"locale":"ps-AF","guestId":"' || (row.guest_id) || '"},"reservationId":"' || rsv || '","reservationCode":"' || (row.body ->> 'code') || '","aggregateVersion":2}');
END
$$;
