//! The board as a stream: the whole first, then every change, and nothing missed by whoever comes back.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::test_hotel::TestHotel;

/// An open stream.
struct Live {
    body: Body,
    read: String,
}

/// One message of it.
#[derive(Debug)]
struct Message {
    id: String,
    event: String,
    data: serde_json::Value,
}

impl Live {
    async fn open(hotel: &TestHotel, last: Option<&str>) -> Self {
        Self::opened_by(&hotel.supervisor(), hotel, last).await
    }

    async fn opened_by(token: &str, hotel: &TestHotel, last: Option<&str>) -> Self {
        let uri = format!("/housekeeping/v1/board/stream?propertyId={}", hotel.property);
        let mut request = Request::get(uri).header("authorization", format!("Bearer {token}"));
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = hotel.app.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { body: response.into_body(), read: String::new() }
    }

    /// The next message, or `None` at the end of the stream.
    async fn next(&mut self) -> Option<Message> {
        loop {
            if let Some((message, rest)) = self.read.split_once("\n\n") {
                let field = |name: &str| {
                    let line = message.lines().find_map(|line| line.strip_prefix(name));
                    line.unwrap_or_default().trim().to_owned()
                };
                let found = Message {
                    id: field("id:"),
                    event: field("event:"),
                    data: serde_json::from_str(&field("data:")).unwrap_or_default(),
                };
                self.read = rest.to_string();
                if found.event.is_empty() {
                    continue; // a comment that keeps the line open
                }
                return Some(found);
            }
            let frame = tokio::time::timeout(Duration::from_secs(20), self.body.frame()).await.expect("silence")?;
            self.read.push_str(std::str::from_utf8(&frame.unwrap().into_data().unwrap()).unwrap());
        }
    }
}

#[tokio::test]
async fn a_live_board_shows_the_whole_and_then_every_change() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let mut live = Live::open(&hotel, None).await;
    let first = live.next().await.unwrap();
    assert_eq!(first.event, "board");
    assert_eq!(first.data["rooms"][0]["status"], "ready");

    hotel.deliver(&hotel.checked_out(&room)).await;
    hotel.drain().await;
    let (created, flipped) = (live.next().await.unwrap(), live.next().await.unwrap());
    assert_eq!((created.event.as_str(), flipped.event.as_str()), ("change", "change"));
    assert_eq!(created.data["subject"], "melmastoon.housekeeping.task.created.v1");
    assert_eq!(flipped.data["payload"]["status"], "dirty");
    drop(live);

    let mut resumed = Live::open(&hotel, Some(&created.id)).await;
    let missed = resumed.next().await.unwrap();
    assert_eq!((missed.event.as_str(), &missed.id), ("change", &flipped.id), "what was missed, instead of the board");
}

#[tokio::test]
async fn a_live_board_is_about_one_property_and_ends_when_the_house_drains() {
    let hotel = TestHotel::open().await;
    hotel.ready_room("101").await;
    let elsewhere = contracts::ids::PropertyId::parse("prp_ELSEWHERE").unwrap();
    let mut live = Live::open(&hotel, Some("0")).await;
    let there = hotel.room("901", "ready").await;
    let departure = hotel.checked_out(&there).with("/payload/propertyId", serde_json::json!(elsewhere));
    hotel.deliver(&departure).await;
    let here = hotel.ready_room("102").await;
    hotel.deliver(&hotel.checked_out(&here)).await;
    hotel.drain().await;
    let first = live.next().await.unwrap();
    assert_eq!(first.data["payload"]["roomId"], here.id.as_str(), "the other property's changes are not sent");
    assert_eq!(live.next().await.unwrap().data["payload"]["roomId"], here.id.as_str());
    hotel.app.begin_draining();
    assert!(live.next().await.is_none());
}

#[tokio::test]
async fn a_stranger_who_names_our_property_sees_an_empty_board_and_no_change() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let stranger = hotel.token_of_tenant(platform::auth::Role::Supervisor, &hotel.next());
    let mut live = Live::opened_by(&stranger, &hotel, None).await;
    assert_eq!(live.next().await.unwrap().data["rooms"], serde_json::json!([]));
    hotel.deliver(&hotel.checked_out(&room)).await;
    hotel.drain().await;
    hotel.app.begin_draining();
    assert!(live.next().await.is_none(), "nothing was sent before the end");
}
