//! What handlers take from a request besides its body.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use contracts::ids::PropertyId;
use schemars::JsonSchema;
use serde_json::json;

use super::describe::{Describe, Operation};
use super::{Problem, query};
use crate::auth::{Caller, Properties};

/// The verified caller of a read.
#[derive(Clone, Debug)]
pub struct Who(pub Arc<Caller>);

impl<S: Sync> FromRequestParts<S> for Who {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        caller_of(parts).map(|caller| Self(Arc::clone(caller)))
    }
}

impl Describe for Who {
    fn describe(_: &mut Operation<'_>) {}
}

/// The context whose route was asked: its name is part of the codes of what goes wrong.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServedBy(pub(super) &'static str);

/// The gate has put it there; a route outside the gate has no caller.
fn caller_of(parts: &Parts) -> Result<&Arc<Caller>, Problem> {
    parts.extensions.get::<Arc<Caller>>().ok_or_else(|| Problem::from(crate::auth::TokenError::Missing))
}

/// An id in the path. One that cannot be an id at all is a 404: there is no such thing.
#[derive(Clone, Debug)]
pub struct Id<I>(pub I);

/// Two ids in the path: `/rooms/{roomId}/block/{blockId}`.
#[derive(Clone, Debug)]
pub struct TwoIds<A, B>(pub A, pub B);

fn gone() -> Problem {
    Problem::not_found("there is nothing with this id")
}

impl<S, I> FromRequestParts<S> for Id<I>
where
    S: Send + Sync,
    I: std::str::FromStr,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| gone())?;
        text.parse().map(Self).map_err(|_| gone())
    }
}

impl<I: JsonSchema> Describe for Id<I> {
    fn describe(operation: &mut Operation<'_>) {
        operation.takes_path::<I>();
    }
}

impl<S, A, B> FromRequestParts<S> for TwoIds<A, B>
where
    S: Send + Sync,
    A: std::str::FromStr,
    B: std::str::FromStr,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Path((one, other)) =
            Path::<(String, String)>::from_request_parts(parts, state).await.map_err(|_| gone())?;
        Ok(Self(one.parse().map_err(|_| gone())?, other.parse().map_err(|_| gone())?))
    }
}

impl<A: JsonSchema, B: JsonSchema> Describe for TwoIds<A, B> {
    fn describe(operation: &mut Operation<'_>) {
        operation.takes_path::<A>();
        operation.takes_path::<B>();
    }
}

/// The property that a read is about: `?propertyId=`, required, and one that the caller's token speaks for.
#[derive(Clone, Debug)]
pub struct OneProperty(pub PropertyId);

/// The properties that a list is about: the one asked for, or all that the token speaks for (`None`: every one).
#[derive(Clone, Debug)]
pub struct PropertyScope(pub Option<Vec<PropertyId>>);

fn asked_property(parts: &Parts) -> Result<Option<PropertyId>, Problem> {
    let Some(text) = query::value_of(parts, "propertyId")? else { return Ok(None) };
    let id = PropertyId::parse(&text)
        .map_err(|_| Problem::invalid("propertyId", "an id such as prp_01J0ABCDEFGHJKMNPQRSTVWXYZ"))?;
    if caller_of(parts)?.properties.include(&id) {
        return Ok(Some(id));
    }
    let context = parts.extensions.get::<ServedBy>().map_or("PLATFORM", |by| by.0);
    Err(Problem::another_property(&context.to_uppercase()))
}

impl<S: Sync> FromRequestParts<S> for OneProperty {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        asked_property(parts)?.map(Self).ok_or_else(|| Problem::invalid("propertyId", "is required"))
    }
}

impl<S: Sync> FromRequestParts<S> for PropertyScope {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        if let Some(one) = asked_property(parts)? {
            return Ok(Self(Some(vec![one])));
        }
        Ok(Self(match &caller_of(parts)?.properties {
            Properties::All => None,
            Properties::Only(list) => Some(list.clone()),
        }))
    }
}

fn describe_property(operation: &mut Operation<'_>, required: bool, description: &str) {
    let schema = json!({ "type": "string", "pattern": contracts::ids::READER_PATTERN });
    operation.query("propertyId", schema, Some(json!(description)), required);
}

impl Describe for OneProperty {
    fn describe(operation: &mut Operation<'_>) {
        describe_property(operation, true, "The property that this is about.");
    }
}

impl Describe for PropertyScope {
    fn describe(operation: &mut Operation<'_>) {
        describe_property(operation, false, "One property; without it, all that the token speaks for.");
    }
}
