//! A PIN is judged by the very route of the REST interface, asked within the process: the same counting, the same refusals.

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use futures_util::future::BoxFuture;
use platform::http::Problem;
use serde::Deserialize;
use serde_json::json;
use tower_service::Service;

use super::{PinAttempt, PinDoor};

const ROUTE: &str = "/staff/v1/auth/pin";
const LONGEST_ANSWER: usize = 64 * 1024;

#[derive(Clone, Debug)]
pub(super) struct OverRest(Router);

#[derive(Deserialize)]
struct SignedIn {
    token: String,
}

impl OverRest {
    pub(super) fn new(rest: Router) -> Self {
        Self(rest)
    }
}

impl PinDoor for OverRest {
    fn sign_in(&self, attempt: PinAttempt) -> BoxFuture<'_, Result<String, Problem>> {
        let mut rest = self.0.clone();
        Box::pin(async move {
            let PinAttempt { tenant_id, staff_code, pin, peer, info } = attempt;
            let body = json!({ "tenantId": tenant_id, "staffCode": staff_code, "pin": pin }).to_string();
            let request = Request::post(ROUTE).header(header::CONTENT_TYPE, "application/json").body(Body::from(body));
            let mut request = request.map_err(|_| Problem::internal())?;
            request.extensions_mut().insert(info);
            if let Some(peer) = peer {
                request.extensions_mut().insert(peer);
            }
            // A router is always ready, and never fails.
            let Ok(mut response) = rest.call(request).await;
            if response.status().is_success() {
                let answer = axum::body::to_bytes(response.into_body(), LONGEST_ANSWER).await;
                let answer = answer.map_err(|_| Problem::internal())?;
                let signed_in: SignedIn = serde_json::from_slice(&answer).map_err(|_| Problem::internal())?;
                return Ok(signed_in.token);
            }
            Err(match response.extensions_mut().remove::<Problem>() {
                Some(problem) => problem,
                None if response.status() == StatusCode::NOT_FOUND => Problem::not_found("nobody signs in by PIN here"),
                None => Problem::of_status(response.status()),
            })
        })
    }
}
