//! Photos over HTTP: bytes in, bytes out.

use std::str::FromStr;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use contracts::ids::is_readable;
use contracts::time::Timestamp;
use platform::database::StoredResponse;
use platform::http::{Answer, Command, Describe, Id, OneProperty, Operation, Problem, Reply, Who};
use schemars::JsonSchema;
use serde::Serialize;

use crate::application::photos;
use crate::domain::photo::{LARGEST, Photo, is_jpeg};
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

const JPEG: &str = "image/jpeg";
/// It never changes under its id, and is nobody else's business.
const KEPT: &str = "private, max-age=86400, immutable";

/// A photo that somebody sends.
pub(super) struct Jpeg(Command<Bytes>);

impl<S: Send + Sync> FromRequest<S> for Jpeg {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let wrong = || Problem::unsupported_media("send the photo itself, as image/jpeg");
        if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(JPEG) {
            return Err(wrong());
        }
        let photo = |_: &_, bytes: &Bytes| if is_jpeg(bytes) { Ok(bytes.clone()) } else { Err(wrong()) };
        Command::read(request, LARGEST, photo).await.map(Self)
    }
}

impl Describe for Jpeg {
    fn describe(operation: &mut Operation<'_>) {
        operation.takes_bytes(JPEG);
        operation.header(
            "Idempotency-Key",
            "^[!-~]{1,255}$",
            "A UUID as a rule. The same key and photo get the same answer for 24 hours.",
        );
    }
}

/// What is known of a photo.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Media")]
pub(super) struct MediaResource {
    /// For `photoMediaIds`.
    media_id: String,
    content_type: String,
    bytes: usize,
    created_at: Timestamp,
}

/// 201 with what is known of the photo.
pub(super) struct Kept(Photo);

impl Reply for Kept {
    fn into_stored(self) -> StoredResponse {
        let Self(photo) = self;
        let place = format!("/housekeeping/v1/media/{}", photo.id);
        let bytes = photo.jpeg.len();
        let told =
            MediaResource { media_id: photo.id, content_type: JPEG.to_owned(), bytes, created_at: photo.kept_at };
        StoredResponse {
            status: StatusCode::CREATED.as_u16(),
            body: serde_json::to_string(&told).unwrap_or_else(|_| "null".to_owned()),
            content_type: "application/json".to_owned(),
            location: Some(place),
            etag: None,
        }
    }
}

impl Describe for Kept {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers::<MediaResource>(201, "It is kept.");
        operation.answer_header(201, "Location", "Where it is.");
    }
}

/// The photo itself.
pub(super) struct Shown(Vec<u8>);

impl IntoResponse for Shown {
    fn into_response(self) -> Response {
        let mut response = Body::from(self.0).into_response();
        let out = response.headers_mut();
        out.insert(header::CONTENT_TYPE, HeaderValue::from_static(JPEG));
        out.insert(header::CACHE_CONTROL, HeaderValue::from_static(KEPT));
        out.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
        response
    }
}

impl Describe for Shown {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers_as(200, JPEG, "The photo.");
    }
}

pub(super) async fn keep(
    State(hk): State<Housekeeping>,
    OneProperty(property): OneProperty,
    Jpeg(photo): Jpeg,
) -> Answer<Kept> {
    let story = async |uow: &mut _| photos::keep(uow, &property, photo.body.to_vec()).await.map(Kept);
    photo.run(&hk.db, &SCHEMA, story).await
}

// What a photo goes by: `med_` and what it shows.
#[derive(JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub(super) struct MediaId(String);

impl FromStr for MediaId {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        if is_readable(text) { Ok(Self(text.to_owned())) } else { Err(Unreadable) }
    }
}

/// A text that no photo goes by.
pub(super) struct Unreadable;

pub(super) async fn show(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    Id(MediaId(id)): Id<MediaId>,
) -> Result<Shown, Problem> {
    let look = async |uow: &mut _| photos::show(uow, &caller, &id).await;
    let photo = hk.db.read::<_, HousekeepingError, _>(&SCHEMA, &caller.tenant, look).await?;
    Ok(Shown(photo.jpeg))
}
