//! The edge of the house: who is slowed down, what is told to monitors, what browsers hear.

use std::net::IpAddr;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use platform::http::Peer;
use platform::parts::{Patience, Supervisor};
use serde_json::json;
use tower::ServiceExt;

use crate::test_hotel::{Ask, TestHotel};

#[tokio::test]
async fn a_monitor_is_told_which_part_does_not_run() {
    let hotel = TestHotel::open().await;
    let ready = async || hotel.ask(Ask::get("/readyz")).await;
    let alone = json!({ "status": "ready", "database": "ok", "bus": "elsewhere" });
    assert_eq!(ready().await.done(), alone, "others publish and deliver");

    let hour = Duration::from_hours(1);
    let patience = Patience { first: hour, longest: hour, failures: 5, within: hour };
    let mut parts = Supervisor::new(hotel.app.roster.clone(), patience);
    parts.run("relay", |mut stop| async move {
        let _ = stop.wait_for(|stop| *stop).await;
    });
    assert_eq!(ready().await.done()["bus"], "ok");
    parts.run("worker", |_| async { panic!("the guest's name is Zarghuna") });
    let failed = async {
        while hotel.app.roster.failed().is_none() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), failed).await.expect("it fails");
    let answer = ready().await;
    answer.refused(503, "MELMASTOON.PLATFORM.NOT_READY").naming("worker");
    assert!(answer.header("retry-after").is_some() && !answer.text.contains("Zarghuna"), "{answer:?}");
    assert_eq!(hotel.ask(Ask::get("/healthz")).await.status, 200, "not ready is not dead");
    let counted = hotel.ask(Ask::get("/metrics")).await.text;
    assert!(counted.contains("melmastoon_part_restarts_total{part=\"worker\"} 1"), "{counted}");
    parts.stop(hour).await;
}

#[tokio::test]
async fn whoever_guesses_tokens_is_slowed_down_and_neither_guests_nor_monitors_notice() {
    let hotel = TestHotel::open().await;
    let (supervisor, here): (_, IpAddr) = (hotel.supervisor(), "192.0.2.7".parse().unwrap());
    let ask = async |path: &str, token: &str| {
        let request = Request::get(path).header("authorization", format!("Bearer {token}")).extension(Peer(here));
        hotel.app.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap().status().as_u16()
    };
    assert_eq!(ask("/housekeeping/v1/tasks", &supervisor).await, 200);
    let mut seen = Vec::new();
    // The bucket is refilled meanwhile, but not as fast as this.
    while !seen.contains(&429) && seen.len() < 100_000 {
        seen.push(ask("/housekeeping/v1/tasks", "guess").await);
    }
    assert!(seen.iter().all(|status| [401, 429].contains(status)), "{seen:?}");
    assert!(seen.contains(&429), "{} guesses were looked at", seen.len());
    assert_eq!(ask("/housekeeping/v1/tasks", &supervisor).await, 200, "whoever is known passes");
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(ask(path, "guess").await, 200, "{path} is no door to guess at");
    }
}

#[tokio::test]
async fn a_large_board_is_packed_for_a_browser_and_its_stream_is_not() {
    let hotel = TestHotel::open().await;
    for number in 101..121 {
        hotel.ready_room(&number.to_string()).await;
    }
    let ask = async |path: &str| {
        let request = Request::get(format!("{path}?propertyId={}", hotel.property))
            .header("authorization", format!("Bearer {}", hotel.supervisor()))
            .header("accept-encoding", "gzip");
        hotel.app.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    };
    let board = ask("/housekeeping/v1/board").await;
    assert_eq!(board.headers().get("content-encoding").unwrap(), "gzip");
    assert!(board.headers().contains_key("etag"));
    assert_eq!(board.headers().get("cache-control").unwrap(), "private, no-cache");
    assert_eq!(board.headers().get("x-content-type-options").unwrap(), "nosniff");
    let stream = ask("/housekeeping/v1/board/stream").await;
    assert_eq!(stream.status(), 200);
    assert_eq!(stream.headers().get("content-encoding"), None);
}
