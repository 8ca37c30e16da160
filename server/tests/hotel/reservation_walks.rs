//! A desk at random: bookings, guests, money, keys, broken rooms and time, in any order, over REST and over events. After every step
//! what must hold whatever happens is read from the database.
//!
//! `WALK_SEED=7 cargo nextest run … reservation_walks` walks another way; the seed of a walk that fails is in its message.

use std::collections::{BTreeMap, BTreeSet};

use contracts::ids::RoomTypeId;
use futures_util::future::join_all;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::reservation_walk_rules::{MUST_HOLD, PUT_BY_HAND, leads};
use crate::test_hotel::{Answer, Ask, Door, Happening, TestHotel, text};

/// So many steps a walk takes.
const STEPS: usize = 60;
/// The night of the first day, by the clock of the test.
const FIRST_DAY: jiff::civil::Date = jiff::civil::date(2026, 4, 22);

enum Deed {
    Asks(Ask),
    /// The house works differently from now on: whoever waits or is here is looked at again.
    Decides(Ask),
    Tells(Box<Happening>),
    /// So many minutes pass, and whatever is due by itself happens.
    Waits(i64),
}

struct Walk<'a> {
    hotel: &'a TestHotel,
    chance: StdRng,
    seed: u64,
    types: Vec<RoomTypeId>,
    doors: Vec<Door>,
    /// Told before, and told again some day.
    told: Vec<Happening>,
    minutes: i64,
    number: u32,
    /// Version and balance of each, when its bill was last looked at.
    billed: BTreeMap<String, (i64, String)>,
    /// What was agreed is changed too.
    changes: bool,
}

impl Walk<'_> {
    fn one_in(&mut self, of: u32) -> bool {
        self.chance.random_range(0..of) == 0
    }

    fn next_number(&mut self) -> u32 {
        self.number += 1;
        self.number
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        all.choose(&mut self.chance).cloned()
    }

    fn day(&mut self, ahead: i32) -> jiff::civil::Date {
        let passed = i32::try_from(self.minutes / 1_440).unwrap();
        FIRST_DAY.checked_add(jiff::Span::new().days(passed + ahead)).unwrap()
    }

    fn booking(&mut self) -> Value {
        let (ahead, nights) = (self.chance.random_range(0..6), self.chance.random_range(1..5));
        let (start, end) = (self.day(ahead), self.day(ahead + nights));
        let rooms = if self.one_in(4) { 2 } else { 1 };
        let items: Vec<Value> = (0..rooms)
            .map(|_| {
                let mut item =
                    json!({ "roomTypeId": self.types.choose(&mut self.chance).unwrap(), "occupants": { "adults": 1 } });
                if self.chance.random_range(0..6) == 0 {
                    item["roomId"] = json!(self.doors.choose(&mut self.chance).unwrap().id);
                }
                item
            })
            .collect();
        let number = self.next_number();
        json!({
            "propertyId": self.hotel.property, "stayWindow": { "start": start, "end": end }, "items": items,
            "primaryGuest": { "name": "Zarmina Noori", "email": format!("zarmina{number}@example.com"), "phone": "+93 700 123 456" },
        })
    }

    /// What a desk does with a reservation: mostly what comes next, sometimes anything.
    fn step(&mut self, reservation: &Value) -> Ask {
        let next: &[&str] = match reservation["status"].as_str().unwrap() {
            "held" => &["confirm", "confirm", "cancel"],
            "confirmed" => &["check-in/start", "check-in/complete", "cancel", "no-show", "part", "payments"],
            "check_in_started" => &["check-in/complete", "cancel"],
            "checked_in" => &["check-out/start", "check-out/complete", "early-checkout", "payments"],
            "checkout_started" => &["check-out/complete"],
            _ => &["payments", "confirm", "check-in/complete"],
        };
        let any =
            ["confirm", "cancel", "check-in/start", "check-out/complete", "no-show", "early-checkout", "payments"];
        let verb = if self.one_in(6) {
            *any.choose(&mut self.chance).unwrap()
        } else {
            *next.choose(&mut self.chance).unwrap()
        };
        let amount = self.chance.random_range(1..300) * 1_000_000;
        let (verb, body) = match verb {
            "confirm" => ("confirm", json!({ "payment": { "method": "cash_on_arrival" } })),
            "cancel" => {
                ("cancel", json!({ "reasonCode": "guest_cancelled", "reason": "call zarmina@example.com, 0700123456" }))
            }
            "part" => {
                let item = reservation["items"][0]["itemId"].clone();
                ("cancel", json!({ "reasonCode": "staff_cancelled", "reason": "one less", "items": [item] }))
            }
            "payments" => {
                let sign = if self.one_in(5) { -1 } else { 1 };
                ("payments", json!({ "method": "card", "amountMicro": (amount * sign).to_string(), "currency": "AFN" }))
            }
            "check-out/complete" => ("check-out/complete", json!({ "allowUnsettled": true })),
            "check-in/start" | "check-in/complete" if self.one_in(2) => {
                let items: Vec<Value> = reservation["items"].as_array().unwrap().clone();
                let name = |item: &Value| {
                    let door = self.doors.choose(&mut self.chance).unwrap();
                    json!({ "itemId": item["itemId"], "roomId": door.id })
                };
                (verb, json!({ "assignedRooms": items.iter().map(name).collect::<Vec<_>>() }))
            }
            other => (other, json!({})),
        };
        let path = format!("/reservation/v1/reservations/{}/{verb}", text(&reservation["reservationId"]));
        Ask::post(path).by(&self.hotel.manager()).json(&body)
    }

    /// Other days, other rooms, other guests, another price, another state: mostly of what may be, sometimes not.
    fn change(&mut self, reservation: &Value) -> Ask {
        let items: Vec<&Value> =
            reservation["items"].as_array().unwrap().iter().filter(|item| item["status"] == "active").collect();
        let items = if items.is_empty() { vec![&reservation["items"][0]] } else { items };
        let item = items.choose(&mut self.chance).unwrap()["itemId"].clone();
        let room_type = self.types.choose(&mut self.chance).unwrap().clone();
        let door = self.doors.choose(&mut self.chance).unwrap().id.clone();
        let adults = self.chance.random_range(1..4);
        let (ahead, nights) = (self.chance.random_range(0..6), self.chance.random_range(1..5));
        let (start, end) = (self.day(ahead), self.day(ahead + nights));
        let rate = (self.chance.random_range(0..200) * 1_000_000).to_string();
        let change = match self.chance.random_range(0..14) {
            0..=2 => {
                let start = if self.one_in(2) { json!(start) } else { reservation["stayWindow"]["start"].clone() };
                json!({ "type": "date_change", "stayWindow": { "start": start, "end": end } })
            }
            3 | 4 => json!({ "type": "room_change", "itemId": item, "roomId": door }),
            5 => json!({ "type": "room_change", "itemId": item }),
            6 | 7 => {
                json!({ "type": "room_added", "item": { "roomTypeId": room_type, "occupants": { "adults": adults } } })
            }
            8 => json!({ "type": "room_removed", "itemId": item, "reason": "call zarmina@example.com" }),
            9 => json!({ "type": "guest_count_change", "itemId": item, "occupants": { "adults": adults } }),
            10 => json!({ "type": "rate_change", "itemId": item, "nightlyRateMicro": rate }),
            11 => json!({
                "type": "guest_profile_update", "primaryGuest": { "name": "Zarmina Noori", "phone": "+93 700 123 456" },
                "expectedArrivalAt": self.hotel.now().plus_seconds(self.chance.random_range(0..200_000)),
            }),
            _ => {
                let status = match reservation["status"].as_str().unwrap() {
                    "checkout_started" | "checked_out" => "checked_in",
                    _ => "confirmed",
                };
                json!({ "type": "manual_state_override", "status": status, "reason": "0700123456 called" })
            }
        };
        let path = format!("/reservation/v1/reservations/{}/modifications", text(&reservation["reservationId"]));
        Ask::post(path).by(&self.hotel.manager()).json(&change)
    }

    /// What somebody else tells of a reservation, of a room or of the house.
    fn telling(&mut self, reservation: Option<&Value>) -> Happening {
        if self.one_in(4)
            && let Some(again) = self.pick(&self.told.clone())
        {
            return again;
        }
        let door = self.doors.choose(&mut self.chance).unwrap().clone();
        let number = self.next_number();
        let hotel = self.hotel;
        let told = match (self.chance.random_range(0..11), reservation) {
            (0..=3, Some(stay)) => {
                let amount = [400_000_000, 100_000_000, 30_000_000][self.chance.random_range(0..3)];
                let currency = if self.one_in(8) { "USD" } else { "AFN" };
                let intent = format!("pyi_{}", self.chance.random_range(0..3));
                hotel.captured(stay, &intent, &amount.to_string()).with("/payload/currency", json!(currency))
            }
            (4, Some(stay)) => {
                let intent = format!("pyi_{}", self.chance.random_range(0..3));
                hotel.told("payment.transaction.failed.v1", stay, &json!({ "paymentIntentId": intent }))
            }
            (5, Some(stay)) => {
                let intent = format!("pyi_{}", self.chance.random_range(0..3));
                let refund = json!({ "paymentIntentId": intent, "amountMicro": "10000000", "currency": "AFN" });
                hotel.told("payment.transaction.refunded.v1", stay, &refund)
            }
            (6, Some(stay)) => {
                let ids = json!({ "allocationIds": [format!("alc_E{number}")] });
                hotel.told("inventory.allocation.committed.v1", stay, &ids)
            }
            (7, Some(stay)) if self.one_in(3) => hotel.told("inventory.allocation.failed.v1", stay, &json!({})),
            (7 | 8, Some(stay)) => {
                let mut key = json!({ "keyCredentialId": format!("key_{number}") });
                if self.one_in(2) {
                    key["roomId"] = stay["items"][0].get("roomId").cloned().unwrap_or_else(|| json!(door.id));
                }
                hotel.told("lock_integration.key_credential.issued.v1", stay, &key)
            }
            (9, _) => {
                let until = self.hotel.now().plus_seconds(self.chance.random_range(1..4) * 86_400);
                let payload = json!({
                    "tenantId": hotel.tenant, "propertyId": hotel.property, "roomId": door.id, "from": hotel.now(), "until": until,
                });
                hotel.happening("property.room.taken_out_of_order.v1", &payload)
            }
            _ => {
                let payload = json!({
                    "tenantId": hotel.tenant, "propertyId": hotel.property, "roomId": door.id, "previousStatus": "out_of_order",
                    "status": "dirty", "cause": "room_unblocked", "flippedAt": hotel.now(), "actor": { "type": "system", "id": "sys_hk" },
                });
                hotel.happening("housekeeping.room.status_changed.v1", &payload)
            }
        };
        self.told.push(told.clone());
        told
    }

    fn deed(&mut self, reservations: &[Value]) -> Deed {
        let known = self.pick(reservations);
        match (self.chance.random_range(0..20), known) {
            (0..=5, _) | (_, None) => {
                let (walks_in, body) = (self.one_in(6), self.booking());
                let path = if walks_in { "walk-ins" } else { "reservations" };
                let mut body = body;
                if walks_in {
                    body["payment"] = json!({ "method": "cash_on_arrival", "amountMicro": "50000000" });
                }
                Deed::Asks(Ask::post(format!("/reservation/v1/{path}")).by(&self.hotel.desk()).json(&body))
            }
            (8..=14, Some(known)) if self.changes => {
                // Mostly of those who are to come or are here: the others are refused.
                let stands = |one: &&Value| {
                    ["confirmed", "check_in_started", "checked_in"].contains(&one["status"].as_str().unwrap())
                };
                let standing: Vec<Value> = reservations.iter().filter(stands).cloned().collect();
                let one = if self.one_in(4) { Some(known.clone()) } else { self.pick(&standing) };
                Deed::Asks(self.change(&one.unwrap_or(known)))
            }
            (6..=11, Some(known)) => Deed::Asks(self.step(&known)),
            (12..=16, known) => Deed::Tells(Box::new(self.telling(known.as_ref()))),
            (17, Some(_)) => {
                let choices = [
                    json!({ "depositPpm": 500_000 }),
                    json!({ "depositPpm": 0 }),
                    json!({ "noShowGraceHours": 3 }),
                    json!({ "taxPpm": 70_000 }),
                    json!({ "overstayGraceHours": 0 }),
                ];
                let body = choices.choose(&mut self.chance).unwrap();
                Deed::Decides(
                    Ask::new(axum::http::Method::PUT, "/reservation/v1/settings").by(&self.hotel.manager()).json(body),
                )
            }
            (_, Some(_)) => Deed::Waits(self.chance.random_range(5..700)),
        }
    }

    async fn does(&mut self, deeds: Vec<Deed>) {
        let mut passed = 0;
        let mut doing = Vec::new();
        let hotel = self.hotel;
        // Whoever leaves while the house decides is looked at once more, in vain: what is due at once has run before we look.
        let mut due = deeds.iter().any(|deed| matches!(deed, Deed::Decides(_)));
        for deed in deeds {
            match deed {
                Deed::Asks(ask) | Deed::Decides(ask) => doing.push(futures_util::future::Either::Left(async move {
                    let answer: Answer = hotel.ask(ask).await;
                    assert!(answer.status < 500, "{} {}", answer.status, answer.body);
                })),
                Deed::Tells(told) => doing.push(futures_util::future::Either::Right(async move {
                    hotel.deliver(&told).await;
                })),
                Deed::Waits(minutes) => passed += minutes,
            }
        }
        join_all(doing).await;
        if passed > 0 {
            self.minutes += passed;
            hotel.clock.advance_seconds(passed * 60);
            due = true;
        }
        if due {
            for tick in ["hold-expiry", "no-show", "overstay"] {
                hotel.run_tick(&format!("reservation.{tick}")).await;
            }
        }
    }
}

impl Walk<'_> {
    async fn everything_holds(&mut self, step: usize) {
        let (hotel, at) = (self.hotel, format!("seed {}, step {step}", self.seed));
        hotel.run_tick("reservation.alerts").await;
        for (rule, wrong) in MUST_HOLD {
            let rows = hotel.behind.query(*wrong, &[]).await.unwrap_or_else(|error| panic!("{rule}: {error:?}"));
            let found: Vec<Option<String>> = rows.iter().map(|row| row.get(0)).collect();
            assert!(found.is_empty(), "{at}: {rule}: {found:?}");
        }
        self.only_legal_ways(&at).await;
        self.money_is_conserved(&at).await;
        self.the_count_is_right(&at).await;
    }

    /// R3: only the transitions that there are, each with its events.
    async fn only_legal_ways(&self, at: &str) {
        let sql =
            "SELECT r.id, r.status, array_agg(a.subject ORDER BY a.id), (array_agg(a.payload::TEXT ORDER BY a.id))
                   FROM reservation.reservations r JOIN reservation.audit_events a ON a.aggregate_id = r.id
                   GROUP BY r.id, r.status";
        for row in self.hotel.behind.query(sql, &[]).await.unwrap() {
            let (id, status, subjects): (String, String, Vec<String>) = (row.get(0), row.get(1), row.get(2));
            let payloads: Vec<String> = row.get(3);
            let payloads: Vec<Value> = payloads.iter().map(|one| serde_json::from_str(one).unwrap()).collect();
            let mut state = String::new();
            for (number, (subject, payload)) in subjects.iter().zip(&payloads).enumerate() {
                let event = subject
                    .trim_start_matches("melmastoon.")
                    .trim_start_matches("reservation.")
                    .trim_end_matches(".v1");
                // A part of it is cancelled, and the rest stays as it is: that is told next.
                let next = payloads.get(number + 1).map(|next| &next["type"]);
                if event == "cancelled" && next == Some(&json!("room_removed")) {
                    assert!(["held", "confirmed", "check_in_started"].contains(&state.as_str()), "{at}: {id}: {state}");
                    continue;
                }
                let from = state.clone();
                if event == "modified" && payload["type"] == "manual_state_override" {
                    let (before, after) = (text(&payload["before"]["status"]), text(&payload["after"]["status"]));
                    assert_eq!(before, from, "{at}: {id}: {subjects:?}");
                    assert!(
                        PUT_BY_HAND.contains(&(before.as_str(), after.as_str())),
                        "{at}: {id}: {before} -> {after}"
                    );
                    state = after;
                    continue;
                }
                assert!(leads(&from, event, &mut state), "{at}: {id}: {event} while {from}: {subjects:?}");
            }
            assert_eq!(state, status, "{at}: {id}: {subjects:?}");
        }
    }

    /// R4: what a bill shows is what was charged, paid and given back, and 0 <= penalty <= price.
    async fn money_is_conserved(&mut self, at: &str) {
        for reservation in self.reservations().await {
            let id = text(&reservation["reservationId"]);
            let now = (reservation["version"].as_i64().unwrap(), text(&reservation["balanceMicro"]));
            if self.billed.insert(id.clone(), now.clone()) == Some(now) {
                continue;
            }
            let folio =
                self.hotel.get(&self.hotel.desk(), &format!("/reservation/v1/reservations/{id}/folio")).await.done();
            let micros = |value: &Value| text(value).parse::<i128>().unwrap();
            let lines: i128 = folio["lines"].as_array().unwrap().iter().map(|line| micros(&line["amountMicro"])).sum();
            let balance = micros(&reservation["balanceMicro"]);
            assert_eq!((lines, micros(&folio["balanceMicro"])), (balance, balance), "{at}: {folio}");
            let payment = &reservation["payment"];
            let (captured, asked) = (micros(&payment["capturedMicro"]), micros(&payment["refundRequestedMicro"]));
            assert!(asked <= captured, "{at}: {payment}");
            let sum = |kinds: &[&str]| -> i128 {
                let of = |line: &&Value| kinds.contains(&line["kind"].as_str().unwrap());
                folio["lines"].as_array().unwrap().iter().filter(of).map(|line| micros(&line["amountMicro"])).sum()
            };
            assert_eq!(-sum(&["captured"]), captured, "{at}: {folio}");
            assert!(sum(&["penalty", "early_checkout"]) >= 0, "{at}: {folio}");
            let over = ["cancelled", "no_show", "expired"].contains(&reservation["status"].as_str().unwrap());
            if over {
                assert_eq!(sum(&["nights"]), 0, "{at}: nobody pays for nights that were given back: {folio}");
                assert!(balance >= 0 || micros(&payment["cashMicro"]) > 0, "{at}: money was kept: {folio}");
            }
        }
    }

    /// R2: what is told to be left is what is left, counted by somebody else.
    async fn the_count_is_right(&self, at: &str) {
        let from = FIRST_DAY.checked_add(jiff::Span::new().days(self.minutes / 1_440)).unwrap();
        let to = from.checked_add(jiff::Span::new().days(8)).unwrap();
        let path = format!("/reservation/v1/availability?propertyId={}&from={from}&to={to}", self.hotel.property);
        let told = self.hotel.get(&self.hotel.desk(), &path).await.done();
        let sql = "SELECT n::DATE::TEXT, (SELECT count(*) FROM reservation.room_allocations a
                     LEFT JOIN reservation.rooms r ON r.id = a.room_id
                     WHERE a.released_at IS NULL AND coalesce(r.room_type_id, a.room_type_id) = $1 AND a.nights @> n::DATE),
                   (SELECT count(DISTINCT b.room_id) FROM reservation.room_blocks b JOIN reservation.rooms r ON r.id = b.room_id
                     WHERE b.lifted_at IS NULL AND r.room_type_id = $1 AND b.starts <= n::DATE AND (b.ends IS NULL OR b.ends > n::DATE))
                   FROM generate_series($2::TEXT::DATE, $3::TEXT::DATE - 1, interval '1 day') n ORDER BY 1";
        for room_type in told["roomTypes"].as_array().unwrap() {
            let id = text(&room_type["roomTypeId"]);
            let rows = self.hotel.behind.query(sql, &[&id, &from.to_string(), &to.to_string()]).await.unwrap();
            let counted: Vec<(i64, i64)> = rows.iter().map(|row| (row.get(1), row.get(2))).collect();
            let numbers = |name: &str| -> Vec<i64> {
                room_type[name].as_array().unwrap().iter().map(|one| one.as_i64().unwrap()).collect()
            };
            let shown: Vec<(i64, i64)> = numbers("taken").into_iter().zip(numbers("outOfOrder")).collect();
            assert_eq!(shown, counted, "{at}: {id}");
        }
    }

    async fn reservations(&self) -> Vec<Value> {
        let path = "/reservation/v1/reservations?limit=500";
        self.hotel.get(&self.hotel.desk(), path).await.done()["items"].as_array().unwrap().clone()
    }

    /// R9: the room that somebody was told, and how many changes they were told.
    async fn promised(&self) -> BTreeMap<String, (String, i64)> {
        let sql = "SELECT a.id, a.room_id, (SELECT count(*) FROM reservation.audit_events e
                     WHERE e.aggregate_id = a.reservation_id AND e.subject LIKE '%.modified.v1')
                   FROM reservation.room_allocations a WHERE a.pinned AND a.released_at IS NULL AND a.room_id IS NOT NULL";
        let rows = self.hotel.behind.query(sql, &[]).await.unwrap();
        rows.iter().map(|row| (row.get(0), (row.get(1), row.get(2)))).collect()
    }
}

/// Walks, and answers how many reservations there were and what of them was changed.
async fn walk(seed: u64, changes: bool) -> (i64, Vec<String>) {
    let hotel = TestHotel::open().await;
    println!("seed {seed}");
    let ((one, mut doors), (other, more)) = (hotel.sold_rooms(3).await, hotel.sold_rooms(2).await);
    doors.extend(more);
    let over = json!({ "propertyId": hotel.property, "overbooking": 1 });
    hotel.put(&hotel.manager(), &format!("/reservation/v1/room-types/{other}"), over).await.done();
    let chance = StdRng::seed_from_u64(seed);
    let mut walk = Walk {
        hotel: &hotel,
        chance,
        seed,
        types: vec![one, other],
        doors,
        told: Vec::new(),
        minutes: 0,
        number: 0,
        billed: BTreeMap::new(),
        changes,
    };
    for step in 0..STEPS {
        let known = walk.reservations().await;
        let promised = walk.promised().await;
        let at_once = if walk.one_in(4) { 4 } else { 1 };
        let deeds = (0..at_once).map(|_| walk.deed(&known)).collect();
        walk.does(deeds).await;
        walk.everything_holds(step).await;
        for (allocation, (room, changes)) in walk.promised().await {
            if let Some((before, told)) = promised.get(&allocation) {
                assert!(
                    *before == room || changes > *told,
                    "seed {seed}, step {step}: {allocation} moved from {before} to {room} silently"
                );
            }
        }
    }
    let late = "reservation.reservations WHERE status = 'held' AND (body -> 'hold' ->> 'expires_at')::TIMESTAMPTZ < $1";
    let sql = format!("SELECT count(*) FROM {late}");
    hotel.run_tick("reservation.hold-expiry").await;
    let held: i64 = hotel.behind.query_one(&sql, &[&hotel.now()]).await.unwrap().get(0);
    assert_eq!(held, 0, "R10: nothing is held when its time is over");
    let letters = hotel.count("reservation.dead_letters").await;
    assert_eq!(letters, 0, "seed {seed}: what was told could be applied");
    assert_eq!(hotel.count("pg_stat_database WHERE datname = current_database() AND deadlocks > 0").await, 0);
    let sql = "SELECT DISTINCT payload ->> 'type' FROM reservation.audit_events WHERE subject LIKE '%.modified.v1'";
    let kinds = hotel.behind.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
    (hotel.count("reservation.reservations").await, kinds)
}

#[tokio::test]
async fn whatever_a_desk_does_no_room_is_given_twice_and_no_money_is_lost() {
    walk_all(&[1, 2, 3], false).await;
}

#[tokio::test]
async fn nor_when_what_was_agreed_is_changed() {
    walk_all(&[4, 5], true).await;
}

#[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
async fn walk_all(seeds: &[u64], changes: bool) {
    let asked = std::env::var("WALK_SEED").ok().and_then(|seed| seed.parse().ok());
    if let Some(seed) = asked {
        walk(seed, changes).await;
        return;
    }
    // What happens at once happens in another order each time, so that no walk is like the one before: what all of them saw together
    // is told, and little is asked of it.
    let walks = join_all(seeds.iter().map(|seed| walk(*seed, changes))).await;
    let lived: i64 = walks.iter().map(|(lived, _)| lived).sum();
    let kinds: BTreeSet<String> = walks.into_iter().flat_map(|(_, kinds)| kinds).collect();
    println!("{lived} reservations, changed: {kinds:?}");
    assert!(lived > 10, "walks with {lived} reservations show nothing");
    assert!(!changes || kinds.len() > 2, "only {kinds:?} were changed");
}
