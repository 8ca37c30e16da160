//! Photos over HTTP: bytes in, bytes out.

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use contracts::time::Timestamp;
use platform::RequestContext;
use platform::http::{Describe, Id, OneProperty, Operation, Problem, RequestInfo, Who};
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
pub(super) struct Jpeg {
    bytes: Bytes,
    info: RequestInfo,
}

impl<S: Send + Sync> FromRequest<S> for Jpeg {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let wrong = || Problem::unsupported_media("send the photo itself, as image/jpeg");
        if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(JPEG) {
            return Err(wrong());
        }
        let bytes = axum::body::to_bytes(body, LARGEST).await.map_err(|_| Problem::too_large(LARGEST))?;
        if !is_jpeg(&bytes) {
            return Err(wrong());
        }
        let info = parts.extensions.get::<RequestInfo>().cloned().ok_or_else(Problem::internal)?;
        Ok(Self { bytes, info })
    }
}

impl Describe for Jpeg {
    fn describe(operation: &mut Operation<'_>) {
        operation.takes_bytes(JPEG);
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

impl IntoResponse for Kept {
    fn into_response(self) -> Response {
        let Self(photo) = self;
        let place = format!("/housekeeping/v1/media/{}", photo.id);
        let bytes = photo.jpeg.len();
        let told =
            MediaResource { media_id: photo.id, content_type: JPEG.to_owned(), bytes, created_at: photo.kept_at };
        (StatusCode::CREATED, [(header::LOCATION, place)], Json(told)).into_response()
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
    Who(caller): Who,
    OneProperty(property): OneProperty,
    photo: Jpeg,
) -> Result<Kept, Problem> {
    let context = RequestContext {
        tenant: caller.tenant.clone(),
        actor: caller.actor(),
        correlation_id: photo.info.request_id.clone(),
        causation_id: None,
        traceparent: photo.info.traceparent.clone(),
        locale: None,
    };
    let mut uow = hk.db.begin(&SCHEMA, context).await?;
    match photos::keep(&mut uow, &property, photo.bytes.to_vec()).await {
        Ok(kept) => {
            uow.commit().await?;
            Ok(Kept(kept))
        }
        Err(refused) => {
            uow.rollback().await?;
            Err(refused.into())
        }
    }
}

pub(super) async fn show(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    Id(id): Id<String>,
) -> Result<Shown, Problem> {
    let look = async |uow: &mut _| photos::show(uow, &caller, &id).await;
    let photo = hk.db.read::<_, HousekeepingError, _>(&SCHEMA, &caller.tenant, look).await?;
    Ok(Shown(photo.jpeg))
}
