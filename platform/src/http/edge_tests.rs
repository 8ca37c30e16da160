//! The edge around routes that misbehave.

use axum::Json;
use axum::body::{Body, Bytes};
use axum::routing::{get, post};
use contracts::time::Timestamp;
use futures_util::stream;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::*;
use crate::http::{Limiter, Peer, Strangers};

fn routes() -> Router {
    Router::new()
        .route("/small", get(|| async { Json(json!({ "room": "101" })) }))
        .route("/large", get(|| async { Json(json!({ "rooms": "101 ".repeat(1_000) })) }))
        .route("/text", get(|| async { "101 ".repeat(1_000) }))
        .route(
            "/stream",
            get(|| async {
                let piece = Ok::<_, std::io::Error>(Bytes::from("data: 101\n\n".repeat(1_000)));
                ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(stream::iter([piece])))
            }),
        )
        .route("/panic", get(|| async { panics("the guest's name is Zarghuna") }))
        .route("/body", post(|body: Bytes| async move { body.len().to_string() }))
        .route("/own", get(|| async { ([(header::CACHE_CONTROL, "max-age=60")], "mine") }))
}

#[expect(clippy::unnecessary_wraps, reason = "a handler has an answer, even where it never gives it")]
fn panics(text: &str) -> Result<&'static str, StatusCode> {
    assert!(text.is_empty(), "{text}");
    Ok("")
}

fn house(edge: Edge) -> Router {
    around(routes(), edge, Clock::system(), Ids::seeded(48))
}

async fn ask(router: &Router, request: axum::http::request::Builder) -> (Response<()>, Bytes) {
    let answer = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (head, body) = answer.into_parts();
    let body = axum::body::to_bytes(body, 1_000_000).await.unwrap();
    (Response::from_parts(head, ()), body)
}

type Response<T = Body> = axum::http::Response<T>;

fn said<'a, T>(answer: &'a Response<T>, name: &str) -> Option<&'a str> {
    answer.headers().get(name).map(|value| value.to_str().unwrap())
}

#[tokio::test]
async fn a_panic_is_a_500_that_says_nothing_of_it() {
    let (answer, body) = ask(&house(Edge::default()), Request::get("/panic")).await;
    assert_eq!(answer.status(), 500);
    assert_eq!(said(&answer, "content-type"), Some("application/problem+json"));
    let text = String::from_utf8(body.to_vec()).unwrap();
    assert!(!text.contains("Zarghuna"), "{text}");
    let problem: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(problem["code"], "MELMASTOON.PLATFORM.INTERNAL");
    assert!(said(&answer, "x-request-id").is_some());
}

#[tokio::test]
async fn large_json_is_packed_for_those_who_can_unpack_it_and_nothing_else_is() {
    let house = house(Edge::default());
    let packed = async |path: &str, accept: &str| {
        let (answer, body) = ask(&house, Request::get(path).header("accept-encoding", accept)).await;
        assert_eq!(answer.status(), 200);
        (said(&answer, "content-encoding").map(str::to_owned), body)
    };
    let (encoding, body) = packed("/large", "gzip, br").await;
    assert_eq!(encoding.as_deref(), Some("gzip"));
    assert!(body.starts_with(&[0x1f, 0x8b]) && body.len() < 1_000, "{} bytes", body.len());
    for (path, accept) in [("/large", "identity"), ("/small", "gzip"), ("/text", "gzip"), ("/stream", "gzip")] {
        assert_eq!(packed(path, accept).await.0, None, "{path} for {accept}");
    }
}

#[tokio::test]
async fn every_answer_guards_browsers_also_one_that_failed() {
    let house = house(Edge::default());
    for (path, cached) in
        [("/small", "no-store"), ("/panic", "no-store"), ("/nowhere", "no-store"), ("/own", "max-age=60")]
    {
        let (answer, _) = ask(&house, Request::get(path)).await;
        assert_eq!(said(&answer, "x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(said(&answer, "referrer-policy"), Some("no-referrer"), "{path}");
        assert_eq!(said(&answer, "x-frame-options"), Some("DENY"), "{path}");
        assert_eq!(said(&answer, "cache-control"), Some(cached), "{path}");
    }
}

#[tokio::test]
async fn other_origins_hear_nothing_unless_they_are_named_exactly() {
    let asking = |origin: &str| Request::get("/small").header("origin", origin);
    let silent = house(Edge::default());
    let preflight =
        Request::options("/small").header("origin", "https://a").header("access-control-request-method", "GET");
    for request in [asking("https://board.example"), preflight] {
        let (answer, _) = ask(&silent, request).await;
        assert!(answer.headers().keys().all(|name| !name.as_str().starts_with("access-control")), "{answer:?}");
    }

    let origins = vec![HeaderValue::from_static("https://board.example")];
    let shared = house(Edge { cors_origins: origins, ..Edge::default() });
    let (answer, _) = ask(&shared, asking("https://board.example")).await;
    assert_eq!(said(&answer, "access-control-allow-origin"), Some("https://board.example"));
    assert_eq!(said(&answer, "access-control-allow-credentials"), None);
    for origin in ["https://board.example.evil", "http://board.example", "null"] {
        let (answer, _) = ask(&shared, asking(origin)).await;
        assert_eq!(said(&answer, "access-control-allow-origin"), None, "{origin}");
    }
    let preflight = Request::options("/small").header("origin", "https://board.example");
    let preflight = preflight.header("access-control-request-method", "PUT");
    let (answer, _) = ask(&shared, preflight.header("access-control-request-headers", "idempotency-key")).await;
    assert_eq!(answer.status(), 200);
    assert!(said(&answer, "access-control-allow-headers").is_some_and(|names| names.contains("idempotency-key")));
}

#[tokio::test]
async fn a_body_that_trickles_is_not_waited_for() {
    let house = house(Edge { request_limit: Duration::from_millis(20), ..Edge::default() });
    // The first half, and then nothing more, ever.
    let half = stream::iter([Ok::<_, std::io::Error>(Bytes::from("{"))]);
    let body = Body::from_stream(futures_util::StreamExt::chain(half, stream::pending()));
    let answering = house.oneshot(Request::post("/body").body(body).unwrap());
    let answer = tokio::time::timeout(Duration::from_secs(20), answering).await.expect("it is answered").unwrap();
    assert_eq!(answer.status(), 503);
    assert_eq!(said(&answer, "retry-after"), Some("5"));
}

#[tokio::test]
async fn made_up_methods_make_no_series_of_their_own() {
    let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
    let handle = recorder.handle();
    let guard = metrics::set_default_local_recorder(&recorder);
    let house = house(Edge::default());
    for method in ["GET", "BREW", "PROPFIND", "AAAA"] {
        ask(&house, Request::builder().method(method).uri("/small")).await;
        ask(&house, Request::builder().method(method).uri(format!("/nowhere/{method}"))).await;
    }
    drop(guard);
    let counted = handle.render();
    for made_up in ["BREW", "PROPFIND", "AAAA"] {
        assert!(!counted.contains(made_up), "{counted}");
    }
    assert!(counted.contains("method=\"GET\"") && counted.contains("method=\"other\""), "{counted}");
}

/// A route behind a gate that knows one token.
fn gated(strangers: Strangers) -> Router {
    let gate = get(|headers: HeaderMap| async move {
        match headers.get("authorization").map(HeaderValue::as_bytes) {
            Some(b"Bearer good") => ([("ratelimit-limit", "1")], "salaam").into_response(),
            _ => StatusCode::UNAUTHORIZED.into_response(),
        }
    });
    let routes = Router::new().route("/", gate).layer(middleware::from_fn_with_state(strangers, Strangers::slow_down));
    around(routes, Edge::default(), Clock::system(), Ids::seeded(48))
}

#[tokio::test]
async fn a_flood_of_strangers_is_refused_before_anything_is_looked_at_and_holds_up_nobody_known() {
    // The clock of the tokens stands still; the bucket is so small that it is refilled by nothing in this time.
    let house = gated(Strangers::allowing(1, Clock::manual(Timestamp::from_millis(0))));
    let from = |address: &str, token: &str| {
        let peer = Peer(address.parse().unwrap());
        Request::get("/").header("authorization", format!("Bearer {token}")).extension(peer)
    };
    assert_eq!(ask(&house, from("192.0.2.1", "good")).await.0.status(), 200);
    let mut refused = 0;
    for n in 0..50 {
        refused += u32::from(ask(&house, from("192.0.2.1", &format!("guess-{n}"))).await.0.status() == 429);
    }
    assert!(refused >= 40, "{refused} of 50 guesses were refused");
    let (answer, _) = ask(&house, from("192.0.2.1", "another guess")).await;
    assert_eq!((answer.status().as_u16(), said(&answer, "retry-after")), (429, Some("1")));
    assert_eq!(ask(&house, from("192.0.2.1", "good")).await.0.status(), 200, "a known token passes");
    assert_eq!(ask(&house, from("192.0.2.2", "guess")).await.0.status(), 401, "another address has its own bucket");
    assert_eq!(Limiter::new(0).take("anybody").limit, 1, "a limit of nothing would be a closed house");
}
