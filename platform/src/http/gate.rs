//! The gate before every route: a valid token, a role that may, and not too often.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;

use super::own_pages::unproven;
use super::{Limiter, OwnPages, Problem};
use crate::auth::{Caller, Role, Secrets, TokenError, Verifier};
use crate::{Clock, Fault, Ids};

/// Whoever knows which tokens that were given for a PIN are void before their time.
pub trait Voided: Send + Sync + std::fmt::Debug {
    fn is_void<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Result<bool, Fault>>;
}

/// The gate before every route. Every request passes with one, so it is one pointer.
#[derive(Clone, Debug)]
pub struct Gate(Arc<GateKeeper>);

/// What the gate needs to know a caller.
#[derive(Debug)]
pub struct GateKeeper {
    pub verifier: Arc<Verifier>,
    pub secrets: Secrets,
    pub voided: Arc<dyn Voided>,
    pub limiter: Arc<Limiter>,
    pub clock: Clock,
    pub ids: Ids,
    /// Whose cookies are worth a token.
    pub pages: OwnPages,
}

impl From<GateKeeper> for Gate {
    fn from(keeper: GateKeeper) -> Self {
        Self(Arc::new(keeper))
    }
}

impl Deref for Gate {
    type Target = GateKeeper;

    fn deref(&self) -> &GateKeeper {
        &self.0
    }
}

impl Gate {
    /// Lets the request pass with its caller attached, or answers 401, 403, 400 or 429.
    pub(crate) async fn admit(self, roles: &'static [Role], mut request: Request, next: Next) -> Response {
        let token = match self.token(&request) {
            Ok(Some(token)) => token,
            Ok(None) => return Problem::from(TokenError::Missing).into_response(),
            Err(problem) => return problem.into_response(),
        };
        let caller: Arc<Caller> = match self.verifier.caller(&token, self.clock.now()).await {
            Ok(caller) => caller,
            Err(error) => return Problem::from(error).into_response(),
        };
        let allowance = self.limiter.take(&format!("{}:{}", caller.tenant, caller.subject));
        let void = match caller.pin_generation {
            Some(_) if allowance.allowed => match self.voided.is_void(&caller).await {
                Ok(false) => None,
                Ok(true) => Some(Problem::from(TokenError::Void)),
                Err(fault) => Some(Problem::from(fault)),
            },
            _ => None,
        };
        let mut response = if let Some(problem) = void {
            problem.into_response()
        } else if !allowance.allowed {
            Problem::too_many().into_response()
        } else if service_without_key(&caller, &request) {
            Problem::key_required().into_response()
        } else if !caller.roles.any_of(roles) {
            Problem::forbidden(format!("this needs one of the roles {}", names(roles))).into_response()
        } else {
            request.extensions_mut().insert(caller);
            request.extensions_mut().insert(self);
            next.run(request).await
        };
        let headers = response.headers_mut();
        headers.insert("ratelimit-limit", HeaderValue::from(allowance.limit));
        // A full bucket holds two seconds' worth; what is told is one second's.
        headers.insert("ratelimit-remaining", HeaderValue::from(allowance.remaining.min(allowance.limit)));
        headers.insert("ratelimit-reset", HeaderValue::from(1));
        response
    }

    /// Whose token this is, if it is good and not void: for doors that count nobody's requests.
    pub async fn caller(&self, token: &str) -> Result<Arc<Caller>, Problem> {
        let caller = self.verifier.caller(token, self.clock.now()).await?;
        if self.is_void(&caller).await? { Err(TokenError::Void.into()) } else { Ok(caller) }
    }

    /// Whether the caller's token was made void before its time; only those that were given for a PIN can be.
    pub async fn is_void(&self, caller: &Caller) -> Result<bool, Fault> {
        match caller.pin_generation {
            Some(_) => self.voided.is_void(caller).await,
            None => Ok(false),
        }
    }

    /// As `Authorization` brings it, else our own pages' cookie.
    fn token(&self, request: &Request) -> Result<Option<String>, Problem> {
        if request.headers().contains_key(header::AUTHORIZATION) {
            return Ok(bearer(request).map(str::to_owned));
        }
        self.pages.token(request.method(), request.headers())
    }
}

/// The token that a request brings one way or the other, good or not.
pub(super) fn brought(request: &Request) -> Option<&str> {
    bearer(request).or_else(|| unproven(request.headers()))
}

pub(crate) fn bearer(request: &Request) -> Option<&str> {
    let value = request.headers().get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn service_without_key(caller: &Caller, request: &Request) -> bool {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    changes && caller.roles.has(Role::Service) && !request.headers().contains_key("idempotency-key")
}

fn names(roles: &[Role]) -> String {
    roles.iter().map(|role| role.as_str()).collect::<Vec<_>>().join(", ")
}
