//! Signing in by browser: a token goes into a cookie that no script can read, and comes out with every request of our pages.
//!
//! The cookie holds the bearer token itself: there is no second kind of session, and nothing to store.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use platform::Db;
use platform::auth::TokenError;
use platform::http::{Gate, LONGEST_COOKIE, Peer, Place, Problem, RequestInfo, read_json};
use serde::Deserialize;
use serde_json::json;

use super::{PinAttempt, WebParts, whoami};

const BODY_LIMIT: usize = 16 * 1024;
/// What a proxy adds: with one of these, whoever asks need not be on this machine.
const FORWARDED: [&str; 4] = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

#[derive(Clone, Debug)]
struct Web {
    db: Db,
    gate: Gate,
    parts: WebParts,
}

/// `/web/config` and `/web/session`.
pub fn session_routes(db: Db, gate: Gate, parts: WebParts) -> Router {
    Router::new()
        .route("/web/config", get(config))
        .route("/web/session", get(show).post(begin).delete(end))
        .with_state(Web { db, gate, parts })
}

/// What a page must know before anybody is signed in.
async fn config(State(web): State<Web>, headers: HeaderMap) -> Json<serde_json::Value> {
    let mut told = json!({ "version": env!("CARGO_PKG_VERSION"), "demo": false });
    if let Some(door) = web.parts.demo.as_ref().filter(|_| web.is_near(&headers)) {
        told["demo"] = true.into();
        told["tenantId"] = door.tenant().into();
    }
    Json(told)
}

/// One of three ways: a token, a person's code and PIN, a part in the demo.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SignIn {
    token: Option<String>,
    demo: Option<String>,
    tenant_id: Option<String>,
    staff_code: Option<String>,
    pin: Option<String>,
}

async fn begin(State(web): State<Web>, request: Request) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let place = web.gate.pages.admits_session(&parts.headers)?;
    let bytes = axum::body::to_bytes(body, BODY_LIMIT).await.map_err(|_| Problem::too_large(BODY_LIMIT))?;
    let sign_in: SignIn = read_json(&parts.headers, &bytes)?;
    let token = match sign_in {
        SignIn { token: Some(token), demo: None, tenant_id: None, staff_code: None, pin: None } => token,
        SignIn { token: None, demo: Some(role), tenant_id: None, staff_code: None, pin: None } => {
            web.demo_token(&role, &parts.headers)?
        }
        SignIn {
            token: None,
            demo: None,
            tenant_id: Some(tenant_id),
            staff_code: Some(staff_code),
            pin: Some(pin),
        } => {
            let Some(door) = &web.parts.pin else {
                return Err(Problem::not_found("nobody signs in by PIN here"));
            };
            let peer = parts.extensions.get::<Peer>().copied();
            let info = parts.extensions.get::<RequestInfo>().cloned().ok_or_else(Problem::internal)?;
            door.sign_in(PinAttempt { tenant_id, staff_code, pin, peer, info }).await?
        }
        _ => return Err(Problem::malformed("either `token`, or `tenantId`, `staffCode` and `pin`, or `demo`")),
    };
    web.enter(&place, &token).await
}

async fn show(State(web): State<Web>, request: Request<Body>) -> Result<Response, Problem> {
    let headers = request.headers();
    let token = web.gate.pages.token(request.method(), headers)?.ok_or(TokenError::Missing)?;
    let caller = web.gate.caller(&token).await?;
    Ok(Json(whoami::tell(&web.db, &caller).await?).into_response())
}

/// The cookie goes, whatever was in it.
async fn end(State(web): State<Web>, headers: HeaderMap) -> Result<Response, Problem> {
    let place = web.gate.pages.admits_session(&headers)?;
    web.gate.pages.token(&axum::http::Method::DELETE, &headers)?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    set_cookie(&mut response, &place.set_cookie("", 0));
    Ok(response)
}

impl Web {
    /// Whether a request was sent on this machine, as far as it can be told: under its name, and through nothing in between.
    fn is_near(&self, headers: &HeaderMap) -> bool {
        matches!(self.gate.pages.place(headers), Some(Place::Loopback { .. }))
            && !FORWARDED.iter().any(|name| headers.contains_key(*name))
    }

    fn demo_token(&self, role: &str, headers: &HeaderMap) -> Result<String, Problem> {
        let door = self.parts.demo.as_ref().filter(|_| self.is_near(headers));
        let token = door.and_then(|door| door.token(role, &self.gate.clock));
        token.ok_or_else(|| Problem::not_found("there is no demo to walk into here"))
    }

    async fn enter(&self, place: &Place, token: &str) -> Result<Response, Problem> {
        if token.len() > LONGEST_COOKIE {
            return Err(Problem::invalid(
                "token",
                format!("at most {LONGEST_COOKIE} characters: browsers keep no more"),
            ));
        }
        let caller = self.gate.caller(token).await?;
        let left = caller.expires_at.saturating_sub(self.gate.clock.now().as_millis() / 1_000);
        let session = whoami::tell(&self.db, &caller).await?;
        let mut response = (StatusCode::CREATED, Json(session)).into_response();
        set_cookie(&mut response, &place.set_cookie(token, left));
        Ok(response)
    }
}

fn set_cookie(response: &mut Response, cookie: &str) {
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
}
