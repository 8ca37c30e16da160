//! What our own pages need of the server besides the REST interface: to be served, and to sign in.
//!
//! Everything else they do goes through the same routes as everybody's, under the same roles.

mod build;
mod demo_door;
mod pages;
mod pin;
mod session;
mod whoami;

use std::fmt::Debug;
use std::sync::Arc;

use axum::Router;
use futures_util::future::BoxFuture;
use platform::http::{Peer, Problem, PublicUrl, RequestInfo};

pub use demo_door::DemoDoor;
pub use pages::{page_paths, page_routes};
pub use session::session_routes;

/// How our own pages are set up.
#[derive(Clone, Debug, Default)]
pub struct WebParts {
    /// Where people find the hotel from elsewhere.
    pub public_url: Option<PublicUrl>,
    /// One click into the demo hotel; `None` everywhere else.
    pub demo: Option<Arc<DemoDoor>>,
    /// Whoever checks PINs; `None` where nobody does.
    pub pin: Option<Arc<dyn PinDoor>>,
}

impl WebParts {
    /// PINs are judged where the REST interface judges them, unless somebody else is named.
    #[must_use]
    pub fn with_pins_over(self, rest: &Router) -> Self {
        let pin = self.pin.unwrap_or_else(|| Arc::new(pin::OverRest::new(rest.clone())));
        Self { pin: Some(pin), ..self }
    }
}

/// Who somebody says to be, and their PIN.
#[derive(Clone)]
pub struct PinAttempt {
    pub tenant_id: String,
    pub staff_code: String,
    pub pin: String,
    /// Where it comes from: attempts are counted by it.
    pub peer: Option<Peer>,
    pub info: RequestInfo,
}

impl Debug for PinAttempt {
    /// A PIN is in no log.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("PinAttempt").field("tenant_id", &self.tenant_id).finish_non_exhaustive()
    }
}

/// Signing in by PIN, as the staff context does it: the same story, counting and refusals as over REST. Gives a bearer token.
pub trait PinDoor: Debug + Send + Sync {
    fn sign_in(&self, attempt: PinAttempt) -> BoxFuture<'_, Result<String, Problem>>;
}
