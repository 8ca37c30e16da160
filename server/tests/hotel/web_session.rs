//! Signing in by browser: the cookie opens what a token opens, for our own pages alone, and nowhere else.

use std::sync::Arc;

use axum::http::Method;
use contracts::ids::{PropertyId, RoomId, StaffId};
use futures_util::future::BoxFuture;
use platform::auth::{Claims, Role, SigningKey};
use platform::http::{Problem, PublicUrl};
use serde_json::{Value, json};
use server::app::App;
use server::demo::Visitors;
use server::web::{DemoDoor, PinAttempt, PinDoor};
use test_hotel::{Answer, ask_router};

use crate::test_hotel::{Ask, TestHotel};

const HERE: &str = "127.0.0.1:8080";
const CROSS_ORIGIN: &str = "MELMASTOON.PLATFORM.CROSS_ORIGIN";
const INSECURE_ORIGIN: &str = "MELMASTOON.PLATFORM.INSECURE_ORIGIN";

fn sign_in(host: &str, body: &Value) -> Ask {
    Ask::post("/web/session").header("host", host).json(body)
}

/// What the browser sends back.
fn cookie_of(answer: &Answer) -> String {
    answer.header("set-cookie").expect("a cookie").split(';').next().unwrap_or_default().to_owned()
}

async fn signed_in(hotel: &TestHotel, token: &str) -> String {
    let answer = hotel.ask(sign_in(HERE, &json!({ "token": token }))).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    cookie_of(&answer)
}

fn by_cookie(method: Method, path: impl Into<String>, host: &str, cookie: &str) -> Ask {
    Ask::new(method, path).header("host", host).header("cookie", cookie)
}

#[tokio::test]
async fn a_token_becomes_a_cookie_that_opens_what_it_opened() {
    let hotel = TestHotel::open().await;
    hotel.ready_room("101").await;
    let answer = hotel.ask(sign_in(HERE, &json!({ "token": hotel.supervisor() }))).await;
    let set = answer.header("set-cookie").unwrap().to_owned();
    assert!(set.starts_with("melmastoon="), "{set}");
    for part in ["Path=/", "HttpOnly", "SameSite=Strict", "Max-Age=3600"] {
        assert!(set.contains(part), "{part} in {set}");
    }
    assert!(!set.contains("Secure"), "plain http on this machine would never send it: {set}");
    let cookie = cookie_of(&answer);
    let told = answer.done();
    assert_eq!((&told["staffId"], &told["roles"]), (&json!("stf_SUPERVISOR"), &json!(["supervisor"])));
    assert_eq!((&told["properties"], &told["propertyId"]), (&json!(["*"]), &json!(hotel.property)));
    assert_eq!((&told["timezone"], &told["language"]), (&json!("Asia/Kabul"), &json!("ps-AF")));
    assert_eq!(told["expiresAt"], "2026-04-22T07:30:00.000Z");
    assert_eq!(hotel.ask(by_cookie(Method::GET, "/web/session", HERE, &cookie)).await.done(), told);
    let board = format!("/housekeeping/v1/board?propertyId={}", hotel.property);
    let board = hotel.ask(by_cookie(Method::GET, board, HERE, &cookie)).await;
    assert_eq!((board.status, board.header("cache-control")), (200, Some("private, no-cache")));

    let end = by_cookie(Method::DELETE, "/web/session", HERE, &cookie).header("sec-fetch-site", "same-origin");
    let ended = hotel.ask(end).await;
    assert_eq!(ended.status, 204);
    assert!(ended.header("set-cookie").is_some_and(|set| set.starts_with("melmastoon=;") && set.contains("Max-Age=0")));
    hotel.ask(Ask::get("/web/session").header("host", HERE)).await.refused(401, "MELMASTOON.PLATFORM.UNAUTHENTICATED");
}

#[tokio::test]
async fn a_session_knows_the_name_and_the_language_of_the_person() {
    let hotel = TestHotel::open().await;
    let staff = hotel.next();
    hotel.deliver(&hotel.met(&staff, "Gulalai", "Wardak", &["fa-AF", "en"])).await;
    let answer = hotel.ask(sign_in(HERE, &json!({ "token": hotel.housekeeper(&staff) }))).await.done();
    assert_eq!((&answer["displayName"], &answer["language"]), (&json!("Gulalai Wardak"), &json!("fa-AF")));
    assert_eq!(answer["propertyId"], Value::Null, "no house is known yet");
}

#[tokio::test]
async fn a_session_knows_what_people_call_the_houses() {
    let hotel = TestHotel::open().await;
    hotel.ready_room("101").await;
    let told = hotel.ask(sign_in(HERE, &json!({ "token": hotel.supervisor() }))).await.done();
    assert_eq!(told["houseNames"], json!({}), "nobody has said it yet");
    let path = format!("/reservation/v1/settings?propertyId={}", hotel.property);
    for nonsense in [json!(""), json!(7), json!("x".repeat(81)), json!("a\nb")] {
        let refused = hotel.put(&hotel.manager(), &path, json!({ "houseName": nonsense })).await;
        refused.refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE").naming("houseName");
    }
    hotel.put(&hotel.manager(), &path, json!({ "houseName": "هوټل چنار" })).await.done();
    let told = hotel.ask(sign_in(HERE, &json!({ "token": hotel.supervisor() }))).await.done();
    assert_eq!(told["houseNames"][hotel.property.as_str()], "هوټل چنار");
    let other = hotel.token_for_property(Role::Supervisor, &hotel.next());
    let told = hotel.ask(sign_in(HERE, &json!({ "token": other }))).await.done();
    assert_eq!(told["houseNames"], json!({}), "another house's name is none of theirs");
}

#[tokio::test]
async fn whoever_may_be_in_all_houses_is_told_which_they_are() {
    let hotel = TestHotel::open().await;
    hotel.ready_room("101").await;
    hotel.ready_room("102").await;
    let (second, room): (PropertyId, RoomId) = (hotel.next(), hotel.next());
    let task = json!({ "propertyId": second, "roomId": room, "kind": "deep_clean" });
    hotel.post(&hotel.supervisor(), "/housekeeping/v1/tasks", task).await.done();
    let told = hotel.ask(sign_in(HERE, &json!({ "token": hotel.supervisor() }))).await.done();
    let mut houses = vec![hotel.property.as_str(), second.as_str()];
    houses.sort_unstable();
    assert_eq!((&told["properties"], &told["houses"]), (&json!(["*"]), &json!(houses)));
    assert_eq!(told["propertyId"], json!(houses[0]));
    // Whoever may be in one is told of no other.
    let token = hotel.token_for_property(Role::Supervisor, &second);
    let told = hotel.ask(sign_in(HERE, &json!({ "token": token }))).await.done();
    assert_eq!((&told["properties"], told.get("houses")), (&json!([second]), None));
}

#[tokio::test]
async fn a_change_by_cookie_is_taken_from_our_own_pages_alone() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let cookie = signed_in(&hotel, &hotel.supervisor()).await;
    let body = json!({ "propertyId": hotel.property, "roomId": room.id, "kind": "deep_clean" });
    let open = || by_cookie(Method::POST, "/housekeeping/v1/tasks", HERE, &cookie).json(&body);
    for ask in [
        open(),
        open().header("sec-fetch-site", "cross-site"),
        open().header("sec-fetch-site", "same-site").header("origin", format!("http://{HERE}")),
        open().header("origin", "https://evil.example"),
        open().header("origin", "null"),
    ] {
        hotel.ask(ask).await.refused(403, CROSS_ORIGIN);
    }
    assert!(hotel.tasks(&room).await.is_empty(), "nothing was done");
    assert_eq!(hotel.ask(open().header("sec-fetch-site", "same-origin")).await.status, 201);
    assert_eq!(hotel.ask(open().header("origin", format!("http://{HERE}"))).await.status, 201);
    let with_token = open().by(&hotel.supervisor()).header("origin", "https://evil.example");
    assert_eq!(hotel.ask(with_token).await.status, 201, "a program's token is its own proof");
    let end = by_cookie(Method::DELETE, "/web/session", HERE, &cookie).header("origin", "https://evil.example");
    hotel.ask(end).await.refused(403, CROSS_ORIGIN);
}

#[tokio::test]
async fn a_name_that_was_bound_to_our_address_gets_nothing() {
    let hotel = TestHotel::open().await;
    let cookie = signed_in(&hotel, &hotel.supervisor()).await;
    let tasks = |host: &str| by_cookie(Method::GET, "/housekeeping/v1/tasks", host, &cookie);
    for host in ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "192.168.1.5:8080"] {
        hotel.ask(tasks(host)).await.refused(403, CROSS_ORIGIN);
        let session = by_cookie(Method::GET, "/web/session", host, &cookie);
        hotel.ask(session).await.refused(403, CROSS_ORIGIN);
    }
    for host in ["localhost:5173", "127.0.0.1", "[::1]:8080"] {
        assert_eq!(hotel.ask(tasks(host)).await.status, 200, "{host}");
    }
}

#[tokio::test]
async fn the_cookie_opens_nothing_that_is_internal() {
    let hotel = TestHotel::open().await;
    let cookie = signed_in(&hotel, &hotel.service()).await;
    let event = hotel.checked_out(&hotel.ready_room("101").await);
    let mut push = hotel.wrapped(&event.subject, event.envelope.to_string().as_bytes());
    push.headers.retain(|(name, _)| *name != "authorization");
    let push = push.header("host", HERE).header("cookie", cookie).header("sec-fetch-site", "same-origin");
    hotel.ask(push).await.refused(401, "MELMASTOON.PLATFORM.UNAUTHENTICATED");
}

#[tokio::test]
async fn over_plain_http_nobody_signs_in_from_elsewhere() {
    let hotel = TestHotel::open().await;
    let body = json!({ "token": hotel.supervisor() });
    for host in ["192.168.1.5:8080", "hotel.example", "evil.example"] {
        let refused = hotel.ask(sign_in(host, &body)).await;
        refused.refused(403, INSECURE_ORIGIN).naming("MELMASTOON_PUBLIC_URL");
        assert_eq!(refused.header("set-cookie"), None);
    }
    let foreign = sign_in(HERE, &body).header("origin", "https://evil.example");
    hotel.ask(foreign).await.refused(403, CROSS_ORIGIN);

    let public = hotel.process(|parts| parts.web.public_url = PublicUrl::parse("https://hotel.example").ok());
    let answer = ask_router(&public, sign_in("hotel.example", &body).header("origin", "https://hotel.example")).await;
    let set = answer.header("set-cookie").unwrap();
    assert!(set.starts_with("__Host-melmastoon=") && set.ends_with("; Secure"), "{set}");
    let listening = sign_in("hotel.example", &body).header("origin", "http://hotel.example");
    ask_router(&public, listening).await.refused(403, INSECURE_ORIGIN);
}

#[tokio::test]
async fn what_is_no_sign_in_is_refused_and_sets_nothing() {
    let hotel = TestHotel::open().await;
    let key = SigningKey::fresh().unwrap();
    let foreign = key.mint(&hotel.claims(Role::Supervisor, None));
    let over = hotel.key.mint(&Claims { exp: 1, ..hotel.claims(Role::Supervisor, None) });
    for token in ["", "abc", foreign.as_str(), over.as_str()] {
        let answer = hotel.ask(sign_in(HERE, &json!({ "token": token }))).await;
        answer.refused(401, "MELMASTOON.PLATFORM.UNAUTHENTICATED");
        assert_eq!(answer.header("set-cookie"), None);
    }
    let both = json!({ "token": hotel.supervisor(), "demo": "supervisor" });
    for body in [json!({}), both, json!({ "tenantId": "tnt_A", "pin": "1" })] {
        hotel.ask(sign_in(HERE, &body)).await.refused(400, "MELMASTOON.PLATFORM.MALFORMED_REQUEST");
    }
    let unknown = hotel.ask(sign_in(HERE, &json!({ "password": "1" }))).await;
    unknown.refused(400, "MELMASTOON.PLATFORM.INVALID_VALUE").naming("password");
    let form = Ask::post("/web/session").header("host", HERE).body("application/x-www-form-urlencoded", "token=abc");
    hotel.ask(form).await.refused(415, "MELMASTOON.PLATFORM.UNSUPPORTED_MEDIA_TYPE");
    let mut wide = hotel.claims(Role::Supervisor, None);
    wide.properties = (0..200).map(|n| format!("prp_01KPSY36J085MVSP242K03M{n:03}")).collect();
    let answer = hotel.ask(sign_in(HERE, &json!({ "token": hotel.key.mint(&wide) }))).await;
    answer.refused(400, "MELMASTOON.PLATFORM.INVALID_VALUE").naming("token");
}

fn with_demo(hotel: &TestHotel) -> App {
    let people = vec![(Role::Supervisor, StaffId::parse("stf_ZARGHUNA").unwrap())];
    let visitors = Visitors { tenant: hotel.tenant.clone(), property: hotel.property.clone(), people };
    let key = SigningKey::fresh().unwrap();
    hotel.process(|parts| {
        parts.verifier = Arc::new(platform::auth::Verifier::embedded(&key));
        parts.web.demo = Some(Arc::new(DemoDoor::new(key, visitors)));
    })
}

#[tokio::test]
async fn only_the_demo_has_a_door_without_a_key() {
    let hotel = TestHotel::open().await;
    let body = json!({ "demo": "supervisor" });
    hotel.ask(sign_in(HERE, &body)).await.refused(404, "MELMASTOON.PLATFORM.NOT_FOUND");
    let config = hotel.ask(Ask::get("/web/config").header("host", HERE)).await.done();
    assert_eq!(config, json!({ "version": env!("CARGO_PKG_VERSION"), "demo": false }));

    let demo = with_demo(&hotel);
    let config = ask_router(&demo, Ask::get("/web/config").header("host", HERE)).await.done();
    assert_eq!((&config["demo"], &config["tenantId"]), (&json!(true), &json!(hotel.tenant)));
    let answer = ask_router(&demo, sign_in(HERE, &body)).await;
    assert!(answer.header("set-cookie").is_some_and(|set| set.contains("Max-Age=28800")), "8 hours: {answer:?}");
    let told = answer.done();
    assert_eq!((&told["staffId"], &told["roles"]), (&json!("stf_ZARGHUNA"), &json!(["supervisor", "staff"])));
    assert_eq!((&told["tenantId"], &told["properties"]), (&json!(hotel.tenant), &json!([hotel.property])));

    for nobody in ["service", "admin", "housekeeper", "king"] {
        let answer = ask_router(&demo, sign_in(HERE, &json!({ "demo": nobody }))).await;
        answer.refused(404, "MELMASTOON.PLATFORM.NOT_FOUND");
    }
    let through_a_proxy = sign_in(HERE, &body).header("x-forwarded-for", "192.0.2.7");
    ask_router(&demo, through_a_proxy).await.refused(404, "MELMASTOON.PLATFORM.NOT_FOUND");
    let foreign = sign_in(HERE, &body).header("origin", "https://evil.example");
    ask_router(&demo, foreign).await.refused(403, CROSS_ORIGIN);
    ask_router(&demo, sign_in("evil.example", &body)).await.refused(403, INSECURE_ORIGIN);
}

/// Whoever is named judges PINs: this one takes them all.
#[derive(Debug)]
struct AnyPin(String);

impl PinDoor for AnyPin {
    fn sign_in(&self, _: PinAttempt) -> BoxFuture<'_, Result<String, Problem>> {
        Box::pin(async move { Ok(self.0.clone()) })
    }
}

#[tokio::test]
async fn a_pin_is_judged_as_over_rest_and_no_token_reaches_the_page() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.with_pin("Zarmina", "748291").await;
    let body = |pin: &str| json!({ "tenantId": hotel.tenant, "staffCode": zarmina.code, "pin": pin });
    let wrong = hotel.ask(sign_in(HERE, &body("748292"))).await;
    wrong.refused(401, "MELMASTOON.STAFF.PIN_REFUSED");
    assert_eq!(wrong.header("set-cookie"), None);
    let answer = hotel.ask(sign_in(HERE, &body("748291"))).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    assert!(answer.header("set-cookie").is_some_and(|set| set.contains("Max-Age=43200")), "12 hours: {answer:?}");
    let cookie = cookie_of(&answer);
    let token = cookie.split_once('=').unwrap().1.to_owned();
    assert!(!answer.text.contains(&token), "a script would see it: {}", answer.text);
    assert_eq!(answer.body["staffId"], json!(zarmina.staff));
    assert_eq!(hotel.ask(by_cookie(Method::GET, "/web/session", HERE, &cookie)).await.status, 200);

    let path = format!("/staff/v1/staff/{}/terminate", zarmina.staff);
    hotel.post(&hotel.manager(), &path, json!({ "reason": "gone" })).await.done();
    hotel.clock.advance_seconds(11);
    let after = hotel.ask(by_cookie(Method::GET, "/web/session", HERE, &cookie)).await;
    after.refused(401, "MELMASTOON.PLATFORM.UNAUTHENTICATED");
    for _ in 0..5 {
        hotel.ask(sign_in(HERE, &body("748292"))).await;
    }
    hotel.ask(sign_in(HERE, &body("748292"))).await.refused(429, "MELMASTOON.STAFF.PIN_LOCKED");
}

#[tokio::test]
async fn without_the_staff_context_nobody_signs_in_by_pin() {
    let hotel = TestHotel::open().await;
    let body = json!({ "tenantId": hotel.tenant, "staffCode": "S-0001", "pin": "748291" });
    let alone = hotel.process(|parts| parts.contexts.retain(|context| context.name == "housekeeping"));
    ask_router(&alone, sign_in(HERE, &body)).await.refused(404, "MELMASTOON.PLATFORM.NOT_FOUND");
    let token = hotel.supervisor();
    let other = hotel.process(|parts| parts.web.pin = Some(Arc::new(AnyPin(token))));
    assert_eq!(ask_router(&other, sign_in(HERE, &body)).await.status, 201);
}
