//! An open live board, as a test reads it.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response};
use contracts::ids::PropertyId;
use http_body_util::BodyExt;
use server::app::App;
use tower::ServiceExt;

use crate::test_hotel::TestHotel;

/// An open stream.
pub(crate) struct Live {
    body: Body,
    read: String,
}

/// One message of it; a mark has an id and no event.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) event: String,
    pub(crate) data: serde_json::Value,
}

impl Message {
    pub(crate) fn is_touch(&self) -> bool {
        self.event == "change" && self.data["kind"] == "touched"
    }
}

/// Asks for a stream, whatever comes of it.
pub(crate) async fn ask_for(app: &App, token: &str, property: &PropertyId, last: Option<&str>) -> Response<Body> {
    let uri = format!("/housekeeping/v1/board/stream?propertyId={property}");
    let mut request = Request::get(uri).header("authorization", format!("Bearer {token}"));
    if let Some(last) = last {
        request = request.header("last-event-id", last);
    }
    app.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

impl Live {
    pub(crate) async fn open(hotel: &TestHotel, last: Option<&str>) -> Self {
        Self::open_on(&hotel.app, &hotel.supervisor(), &hotel.property, last).await
    }

    pub(crate) async fn open_on(app: &App, token: &str, property: &PropertyId, last: Option<&str>) -> Self {
        let response = ask_for(app, token, property, last).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { body: response.into_body(), read: String::new() }
    }

    /// The next message that is no mark, or `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<Message> {
        loop {
            match self.any().await {
                Some(message) if message.event.is_empty() => {}
                other => return other,
            }
        }
    }

    /// The next message, marks included.
    pub(crate) async fn any(&mut self) -> Option<Message> {
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
                return Some(found);
            }
            let frame = tokio::time::timeout(Duration::from_secs(20), self.body.frame()).await.expect("silence")?;
            self.read.push_str(std::str::from_utf8(&frame.unwrap().into_data().unwrap()).unwrap());
        }
    }
}
