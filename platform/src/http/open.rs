//! A request of somebody who has no token yet: its body, and where it comes from.

use axum::extract::{FromRequest, Request};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::command::{BODY_LIMIT, read_json, whole_body};
use super::describe::{Describe, Operation};
use super::{Peer, Problem, RequestInfo};

/// A body without a caller, for the few routes that are open.
#[derive(Clone, Debug)]
pub struct Open<T> {
    pub body: T,
    /// The address it comes from, or the network of one; whoever calls within the process has none.
    pub source: Option<String>,
    pub info: RequestInfo,
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Open<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let source = parts.extensions.get::<Peer>().map(|peer| peer.bucket());
        let info = parts.extensions.get::<RequestInfo>().cloned().ok_or_else(Problem::internal)?;
        let bytes = whole_body(body, BODY_LIMIT).await?;
        Ok(Self { body: read_json(&parts.headers, &bytes)?, source, info })
    }
}

impl<T: JsonSchema> Describe for Open<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.takes_body::<T>();
    }
}
