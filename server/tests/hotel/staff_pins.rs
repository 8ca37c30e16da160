//! Codes and PINs: who gets in, who does not, and what nobody learns.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use axum::http::Method;
use contracts::time::Timestamp;
use futures_util::future::join_all;
use platform::auth::{Role, Verifier};
use serde_json::{Value, json};
use staff::domain::pin::{Counted, Failures, Trust};

use crate::test_hotel::{Answer, Ask, TestHotel, ask_router, text};
use crate::test_issuer::{ISSUER, Issuer, rsa_key};

const REFUSED: &str = "MELMASTOON.STAFF.PIN_REFUSED";
const LOCKED: &str = "MELMASTOON.STAFF.PIN_LOCKED";
const PIN: &str = "748291";

#[tokio::test]
async fn whoever_shows_code_and_pin_gets_a_token_for_what_is_theirs_and_for_their_work() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.with_pin("Zarmina", PIN).await;
    hotel.told_by_staff().await;
    let signed_in = hotel.sign_in(&zarmina.code.to_lowercase(), PIN).await.done();
    assert_eq!(signed_in["staffId"], zarmina.staff.as_str());
    assert_eq!(signed_in["roles"], json!(["staff", "housekeeper"]));
    assert_eq!(signed_in["properties"], json!([hotel.property]));
    assert_eq!(signed_in["expiresAt"], hotel.now().plus_seconds(12 * 3_600).to_string());
    let token = text(&signed_in["token"]);
    let me = hotel.get(&token, "/staff/v1/me").await.done();
    assert_eq!((&me["staffId"], &me["employmentStatus"]), (&json!(zarmina.staff), &json!("active")));
    hotel.get(&token, "/housekeeping/v1/tasks").await.done();
    assert_eq!(hotel.get(&token, "/staff/v1/settings").await.status, 403);
    let told = hotel.told_by_staff().await;
    assert_eq!(told.len(), 1, "seen for the first time: {told:?}");
    assert_eq!(told[0].1["changedFields"], json!(["employmentStatus"]));
    let mut kiosk = hotel.showing(&zarmina.code, PIN);
    kiosk["kiosk"] = json!(true);
    let kiosk = hotel.ask(Ask::post("/staff/v1/auth/pin").json(&kiosk)).await.done();
    assert_eq!(kiosk["expiresAt"], hotel.now().plus_seconds(300).to_string());
    hotel.clock.advance_seconds(320);
    assert_eq!(hotel.get(&text(&kiosk["token"]), "/staff/v1/me").await.status, 401);
    hotel.get(&token, "/staff/v1/me").await.done();
    assert!(hotel.told_by_staff().await.is_empty(), "signing in again tells nobody");
}

/// What a refusal says, but for the number of the request.
fn said(answer: &Answer) -> Value {
    let mut body = answer.body.clone();
    body.as_object_mut().unwrap().remove("traceId");
    body
}

#[tokio::test]
async fn whatever_is_wrong_the_refusal_is_the_same() {
    let hotel = TestHotel::open().await;
    let (right, gone, home) =
        (hotel.with_pin("Zarmina", PIN).await, hotel.with_pin("Laila", PIN).await, hotel.with_pin("Bilal", PIN).await);
    let without = hotel.employ("Nasrin").await;
    let without = hotel.get(&hotel.manager(), &format!("/staff/v1/staff/{without}")).await.done();
    let path = format!("/staff/v1/staff/{}", gone.staff);
    hotel.post(&hotel.manager(), &format!("{path}/terminate"), json!({ "reason": "gone" })).await.done();
    let path = format!("/staff/v1/staff/{}", home.staff);
    hotel.patch(&hotel.manager(), &path, json!({ "employmentStatus": "suspended" })).await.done();
    let first = hotel.sign_in(&right.code, "748292").await;
    first.refused(401, REFUSED);
    let mut elsewhere = hotel.showing(&right.code, PIN);
    elsewhere["tenantId"] = json!("tnt_01KPSY36J085MVSP242K03MADZ");
    let elsewhere = hotel.ask(Ask::post("/staff/v1/auth/pin").from("192.0.2.1").json(&elsewhere)).await;
    let others = [
        ("another tenant", elsewhere),
        ("nobody's code", hotel.sign_in("S-9999", PIN).await),
        ("no PIN", hotel.sign_in(&text(&without["staffCode"]), PIN).await),
        ("gone", hotel.sign_in(&gone.code, PIN).await),
        ("sent home", hotel.sign_in(&home.code, PIN).await),
        ("no digits", hotel.sign_in(&right.code, "password").await),
    ];
    for (what, answer) in others {
        answer.refused(401, REFUSED);
        assert_eq!(said(&answer), said(&first), "{what}");
        let names = |answer: &Answer| answer.headers.keys().map(ToString::to_string).collect::<BTreeSet<_>>();
        assert_eq!(names(&answer), names(&first), "{what}");
    }
    hotel.sign_in(&right.code, PIN).await.done();
}

#[tokio::test]
async fn what_is_missing_to_sign_in_is_named() {
    let hotel = TestHotel::open().await;
    for field in ["tenantId", "staffCode", "pin"] {
        let mut body = hotel.showing("S-0001", PIN);
        body.as_object_mut().unwrap().remove(field);
        let answer = hotel.ask(Ask::post("/staff/v1/auth/pin").json(&body)).await;
        answer.refused(400, "MELMASTOON.STAFF.INVALID_VALUE");
        assert_eq!(answer.body["field"], field, "{}", answer.text);
    }
}

#[tokio::test]
async fn of_forty_wrong_pins_at_once_five_are_judged_in_all_processes_together() {
    let hotel = TestHotel::open().await;
    let other = hotel.second_process();
    let zarmina = hotel.with_pin("Zarmina", PIN).await;
    for code in [zarmina.code.as_str(), "S-9999"] {
        let tries = join_all((0..40).map(|n| {
            let ask = Ask::post("/staff/v1/auth/pin").from("192.0.2.9").json(&hotel.showing(code, "748290"));
            let app = if n % 2 == 0 { &hotel.app } else { &other };
            async move { ask_router(app, ask).await }
        }))
        .await;
        let judged = tries.iter().filter(|answer| answer.status == 401).count();
        assert_eq!(judged, 5, "{code}");
        for answer in tries.iter().filter(|answer| answer.status != 401) {
            answer.refused(429, LOCKED);
            assert_eq!(answer.header("retry-after"), Some("900"));
        }
        hotel.sign_in_from("192.0.2.9", code, PIN).await.refused(429, LOCKED);
    }
    hotel.sign_in_from("192.0.2.10", &zarmina.code, PIN).await.done();
    hotel.clock.advance_seconds(901);
    hotel.sign_in_from("192.0.2.9", &zarmina.code, PIN).await.done();
}

#[tokio::test]
async fn across_the_edge_of_fifteen_minutes_no_more_than_five_are_judged() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.with_pin("Zarmina", PIN).await;
    let wrong = async || hotel.sign_in(&zarmina.code, "748290").await;
    wrong().await.refused(401, REFUSED);
    hotel.clock.advance_seconds(898);
    for _ in 0..3 {
        wrong().await.refused(401, REFUSED);
    }
    // The first counts no more, the other three do.
    hotel.clock.advance_seconds(2);
    for _ in 0..2 {
        wrong().await.refused(401, REFUSED);
    }
    let locked = hotel.sign_in(&zarmina.code, PIN).await;
    locked.refused(429, LOCKED);
    assert_eq!(locked.header("retry-after"), Some("900"));
    hotel.clock.advance_seconds(899);
    let locked = wrong().await;
    locked.refused(429, LOCKED);
    assert_eq!(locked.header("retry-after"), Some("1"));
    hotel.clock.advance_seconds(1);
    hotel.sign_in(&zarmina.code, PIN).await.done();
}

/// What is to become of a try, by the rules alone.
#[derive(Default)]
struct Rules {
    failures: HashMap<String, Failures>,
    known: BTreeSet<(String, Option<String>)>,
}

impl Rules {
    /// Until when it is shut; else it is judged, and counted if it is wrong.
    fn judge(&mut self, (code, source): (&str, &str), right: bool, now: Timestamp) -> Option<Timestamp> {
        let known = |who: Option<&str>| self.known.contains(&(source.to_owned(), who.map(str::to_owned)));
        let trust = Trust { person: known(Some(code)), tenant: known(None) };
        let mut counted = Vec::new();
        let mut shut: Option<Timestamp> = None;
        let before = self.failures.clone();
        for which in Counted::ALL {
            match self.failures.entry(which.scope(code, source)).or_default().count(which, now) {
                Ok(()) => counted.push(which),
                Err(until) if !which.spares(trust) => shut = shut.max(Some(until)),
                Err(_) => {}
            }
        }
        if shut.is_some() {
            self.failures = before;
            return shut;
        }
        if right {
            for which in counted {
                self.failures.entry(which.scope(code, source)).or_default().take_back(which, now);
            }
            self.failures.remove(&Counted::CodeHere.scope(code, source));
            self.known.extend([(source.to_owned(), Some(code.to_owned())), (source.to_owned(), None)]);
        }
        None
    }
}

#[tokio::test]
async fn whatever_is_tried_whenever_the_database_counts_by_the_rules() {
    let hotel = TestHotel::open().await;
    let people = [hotel.with_pin("Zarmina", PIN).await, hotel.with_pin("Laila", PIN).await];
    for seed in 1..=3_u64 {
        let (mut rules, mut chance) = (Rules::default(), seed);
        for step in 0..80 {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let pick = |bits: u64, of: u64| (chance >> bits) & (of - 1);
            let code = &people[usize::try_from(pick(20, 2)).unwrap()].code;
            // Each history has addresses of its own.
            let source = format!("198.51.{seed}.{}", pick(30, 4));
            let right = pick(40, 8) == 0;
            hotel.clock.advance_seconds([0, 0, 1, 60, 300, 899, 900, 20_000][usize::try_from(pick(24, 8)).unwrap()]);
            let expected = rules.judge((code, &format!("address {source}")), right, hotel.now());
            let answer = hotel.sign_in_from(&source, code, if right { PIN } else { "748290" }).await;
            let what = format!("{seed}, {step}: {code} {source} {right} {expected:?}");
            match expected {
                None => assert_eq!(answer.status, if right { 200 } else { 401 }, "{what}"),
                Some(until) => {
                    assert_eq!(answer.status, 429, "{what}");
                    let seconds = (until.as_millis() - hotel.now().as_millis() + 999) / 1_000;
                    assert_eq!(answer.header("retry-after"), Some(seconds.to_string().as_str()), "{what}");
                }
            }
        }
        let most = "staff.pin_attempts WHERE cardinality(failed_at) > most OR failures <> cardinality(failed_at)";
        assert_eq!(hotel.count(most).await, 0);
        // The next history begins with nothing counted.
        hotel.clock.advance_seconds(2 * 24 * 3_600);
    }
}

#[tokio::test]
async fn whoever_is_shut_writes_nothing() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.with_pin("Zarmina", PIN).await;
    for _ in 0..5 {
        hotel.sign_in(&zarmina.code, "748290").await.refused(401, REFUSED);
    }
    let rows = async || {
        let sql = "SELECT array_agg(ctid::TEXT || xmax::TEXT ORDER BY scope) FROM staff.pin_attempts";
        hotel.behind.query_one(sql, &[]).await.unwrap().get::<_, Vec<String>>(0)
    };
    let before = rows().await;
    for _ in 0..5 {
        hotel.sign_in(&zarmina.code, "748290").await.refused(429, LOCKED);
    }
    assert_eq!(rows().await, before, "not even a row that is given up");
}

#[tokio::test]
async fn four_wrong_pins_and_the_right_one_begin_anew() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.with_pin("Zarmina", PIN).await;
    for _ in 0..3 {
        for _ in 0..4 {
            hotel.sign_in(&zarmina.code, "748290").await.refused(401, REFUSED);
        }
        hotel.sign_in(&zarmina.code, PIN).await.done();
    }
}

#[tokio::test]
async fn a_pin_that_nobody_could_look_at_was_not_tried() {
    let hotel = TestHotel::open().await;
    // Each from its own address, with its own code: only the tenant counts them together.
    let tries = join_all((0..160).map(|n| {
        let shown = hotel.showing(&format!("X-{n:04}"), PIN);
        let ask = Ask::post("/staff/v1/auth/pin").from(&format!("198.51.100.{n}")).json(&shown);
        hotel.ask(ask)
    }))
    .await;
    let with = |status: u16| i64::try_from(tries.iter().filter(|answer| answer.status == status).count()).unwrap();
    let (judged, too_many) = (with(401), with(503));
    assert_eq!(judged + too_many, 160, "{:?}", tries.iter().map(|answer| answer.status).collect::<Vec<_>>());
    assert!(too_many > 0, "sixty-four wait at most");
    let counted = "SELECT failures FROM staff.pin_attempts WHERE scope = 'tenant'";
    let counted: i32 = hotel.behind.query_one(counted, &[]).await.unwrap().get(0);
    assert_eq!(i64::from(counted), judged);
    assert_eq!(hotel.count("staff.pin_attempts WHERE failures > 0 AND scope LIKE 'source %'").await, judged);
}

#[tokio::test]
async fn strangers_who_guess_shut_nobody_out_where_that_person_is_known() {
    let hotel = TestHotel::open().await;
    let (zarmina, laila) = (hotel.with_pin("Zarmina", PIN).await, hotel.with_pin("Laila", "192837").await);
    hotel.sign_in_from("192.0.2.1", &zarmina.code, PIN).await.done();
    for n in 0..4 {
        for _ in 0..5 {
            hotel.sign_in_from(&format!("198.51.100.{n}"), &zarmina.code, "748290").await.refused(401, REFUSED);
        }
    }
    hotel.sign_in_from("203.0.113.1", &zarmina.code, PIN).await.refused(429, LOCKED);
    hotel.sign_in_from("192.0.2.1", &zarmina.code, PIN).await.done();
    hotel.sign_in_from("203.0.113.1", &laila.code, &laila.pin).await.done();
    // A new PIN lifts it everywhere.
    let path = format!("/staff/v1/staff/{}/pin", zarmina.staff);
    hotel.post(&hotel.manager(), &path, json!({ "pin": "564738" })).await.done();
    hotel.sign_in_from("203.0.113.1", &zarmina.code, "564738").await.done();
}

#[tokio::test]
async fn a_source_that_fails_a_hundred_times_is_shut_whatever_it_tries() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.with_pin("Zarmina", PIN).await;
    hotel.sign_in(&zarmina.code, PIN).await.done();
    let tries = (0..25).flat_map(|n| std::iter::repeat_n(n, 4));
    for n in tries {
        hotel.sign_in(&format!("X-{n:04}"), PIN).await.refused(401, REFUSED);
    }
    hotel.sign_in(&zarmina.code, PIN).await.refused(429, LOCKED);
    hotel.sign_in_from("192.0.2.77", &zarmina.code, PIN).await.done();
}

async fn tokens_of(hotel: &TestHotel, code: &str, pin: &str) -> String {
    text(&hotel.sign_in(code, pin).await.done()["token"])
}

#[tokio::test]
async fn tokens_are_void_within_ten_seconds_of_a_new_pin_a_suspension_and_the_end_in_every_process() {
    let hotel = TestHotel::open().await;
    let other = hotel.second_process();
    let zarmina = hotel.with_pin("Zarmina", PIN).await;
    let path = format!("/staff/v1/staff/{}", zarmina.staff);
    let manager = hotel.manager();
    let mut pin = PIN.to_owned();
    for n in 0..3 {
        let token = tokens_of(&hotel, &zarmina.code, &pin).await;
        for app in [&hotel.app, &other] {
            assert_eq!(ask_router(app, Ask::get("/staff/v1/me").by(&token)).await.status, 200);
        }
        match n {
            0 => {
                pin = "564738".to_owned();
                hotel.post(&manager, &format!("{path}/pin"), json!({ "pin": pin })).await.done();
                // One that is given in the same moment is not old, neither at once nor later.
                let fresh = tokens_of(&hotel, &zarmina.code, &pin).await;
                for seconds in [0, 10] {
                    hotel.clock.advance_seconds(seconds);
                    for app in [&hotel.app, &other] {
                        assert_eq!(ask_router(app, Ask::get("/staff/v1/me").by(&fresh)).await.status, 200);
                    }
                }
            }
            1 => {
                for standing in ["suspended", "active"] {
                    hotel.patch(&manager, &path, json!({ "employmentStatus": standing })).await.done();
                }
            }
            _ => {
                hotel.post(&manager, &format!("{path}/terminate"), json!({ "reason": "gone" })).await.done();
            }
        }
        hotel.clock.advance_seconds(10);
        for app in [&hotel.app, &other] {
            let answer = ask_router(app, Ask::get("/staff/v1/me").by(&token)).await;
            answer.refused(401, "MELMASTOON.PLATFORM.UNAUTHENTICATED");
        }
    }
    let person = hotel.get(&manager, &path).await.done();
    assert_eq!(person["pinSet"], false);
    assert_eq!(hotel.count("staff.pins").await + hotel.count("staff.pin_sources").await, 0);
}

#[tokio::test]
async fn a_manager_sets_anybodys_pin_and_others_their_own_with_the_present_one() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.with_pin("Zarmina", PIN).await;
    let (path, own) = (format!("/staff/v1/staff/{}/pin", zarmina.staff), hotel.own(&zarmina.staff));
    hotel.told_by_staff().await;
    for weak in ["123456", "000000", "12345", "1234567890123", "98765a"] {
        hotel.post(&hotel.manager(), &path, json!({ "pin": weak })).await.refused(400, "MELMASTOON.STAFF.PIN_WEAK");
    }
    hotel.post(&own, &path, json!({ "pin": "564738" })).await.refused(403, "MELMASTOON.STAFF.NOT_SELF");
    let other = hotel.own(&hotel.employ("Laila").await);
    let body = json!({ "pin": "564738", "currentPin": PIN });
    hotel.post(&other, &path, body.clone()).await.refused(403, "MELMASTOON.STAFF.NOT_SELF");
    assert_eq!(hotel.post(&own, &path, body).await.status, 204);
    let body = json!({ "pin": "665544", "currentPin": PIN });
    for _ in 0..5 {
        hotel.post(&own, &path, body.clone()).await.refused(401, REFUSED);
    }
    hotel.post(&own, &path, body).await.refused(429, LOCKED);
    hotel.clock.advance_seconds(901);
    let body = json!({ "pin": "665544", "currentPin": "564738" });
    assert_eq!(hotel.post(&own, &path, body).await.status, 204);
    assert_eq!(hotel.post(&hotel.manager(), &path, json!({ "pin": null })).await.status, 204);
    hotel.post(&hotel.manager(), &path, json!({})).await.refused(400, "MELMASTOON.STAFF.INVALID_VALUE");
    let told = hotel.told_by_staff().await;
    let pins = told.iter().filter(|(subject, payload)| subject == "updated" && payload["pinSet"] != json!(null));
    let told: Vec<_> = pins.collect();
    let values: Vec<_> = told.iter().map(|(_, payload)| payload["pinSet"].clone()).collect();
    assert_eq!(values, [json!(true), json!(true), json!(false)]);
    assert!(told.iter().all(|(_, payload)| payload["changedFields"] == json!(["pinSet"])));
}

#[tokio::test]
async fn no_pin_is_kept_shown_or_found_again_by_trying_all_of_them() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.with_pin("Zarmina", PIN).await;
    let path = format!("/staff/v1/staff/{}/pin", zarmina.staff);
    let body = json!({ "pin": "564738" });
    for replayed in [None, Some("true")] {
        let ask = Ask::post(&path).by(&hotel.manager()).key("once").json(&body);
        let answer = hotel.ask(ask).await;
        assert_eq!((answer.status, answer.header("idempotency-replayed")), (204, replayed));
    }
    let sql = "SELECT request_hash FROM staff.idempotency_keys WHERE key = 'once'";
    let kept: String = hotel.behind.query_one(sql, &[]).await.unwrap().get(0);
    let plain = platform::http::fingerprint(format!("{path}\0{body}").as_bytes());
    assert_ne!(kept, plain, "whoever has the table could try a million PINs");
    let number = hotel.ask(Ask::post(&path).by(&hotel.manager()).bytes(r#"{"pin": 564738}"#)).await;
    assert!(!number.text.contains("564738"), "{}", number.text);
    hotel.sign_in(&zarmina.code, "564739").await;
    hotel.sign_in(&zarmina.code, "564738").await.done();
    hotel.drain().await;
    let tables = "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname IN ('staff', 'bus')";
    for row in hotel.behind.query(tables, &[]).await.unwrap() {
        let table: String = row.get(0);
        for pin in [PIN, "564738", "564739"] {
            assert_eq!(hotel.count(&format!("{table} t WHERE t::TEXT LIKE '%{pin}%'")).await, 0, "{pin} in {table}");
        }
    }
}

#[tokio::test]
async fn tokens_for_a_pin_are_good_beside_those_of_a_real_issuer_and_no_other_local_ones() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    issuer.publishes(rsa_key("a"));
    let zarmina = hotel.with_pin("Zarmina", PIN).await;
    let token = tokens_of(&hotel, &zarmina.code, PIN).await;
    let verifier = Verifier::remote(issuer.keys(), ISSUER.to_owned(), "https://hotel.example".to_owned());
    let verifier = Arc::new(verifier.and_pins(&hotel.key));
    let app = hotel.process(|parts| parts.verifier = verifier);
    for _ in 0..2 {
        assert_eq!(ask_router(&app, Ask::get("/staff/v1/me").by(&token)).await.status, 200);
    }
    let local = hotel.token(Role::Admin, None);
    let answer = ask_router(&app, Ask::new(Method::GET, "/staff/v1/staff").by(&local)).await;
    answer.refused(401, "MELMASTOON.PLATFORM.UNAUTHENTICATED");
}
