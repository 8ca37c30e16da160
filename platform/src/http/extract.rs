//! What handlers take from a request besides its body.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use super::Problem;
use crate::auth::Caller;

/// The verified caller of a read.
#[derive(Clone, Debug)]
pub struct Who(pub Arc<Caller>);

impl<S: Sync> FromRequestParts<S> for Who {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        // The gate has put it there; a route outside the gate has no caller.
        let caller = parts.extensions.get::<Arc<Caller>>().cloned();
        caller.map(Self).ok_or_else(|| Problem::from(crate::auth::TokenError::Missing))
    }
}

/// An id in the path. One that cannot be an id at all is a 404: there is no such thing.
#[derive(Clone, Debug)]
pub struct Id<I>(pub I);

impl<S, I> FromRequestParts<S> for Id<I>
where
    S: Send + Sync,
    I: std::str::FromStr,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let gone = || Problem::not_found("there is nothing with this id");
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| gone())?;
        text.parse().map(Self).map_err(|_| gone())
    }
}
