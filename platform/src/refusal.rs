//! Why any context says no, whatever it is about: the refusals that all of them share, and how they look from outside.
//!
//! A context's own error holds one of these beside its own words. From both follow the problem over HTTP and what becomes of
//! an event that was refused, in one place each.

use std::borrow::Cow;

use crate::Fault;
use crate::bus::NotApplied;
use crate::database::ImpossibleRow;
use crate::http::{Outcome, Problem, ProblemKind};

/// A refusal that every context knows. It knows nothing of HTTP.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Not there, or not for this caller: the two look alike from outside.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    #[error("the version is {current} by now")]
    StaleVersion { current: i32 },
    #[error("this token does not speak for that property")]
    ForeignProperty,
    #[error("this token names no staff member")]
    NotStaff,
    #[error("{field}: {rule}")]
    Invalid { field: Cow<'static, str>, rule: String },
    #[error(transparent)]
    ImpossibleRow(#[from] ImpossibleRow),
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Refusal {
    /// A value that can be read and is not allowed.
    pub fn invalid(field: impl Into<Cow<'static, str>>, rule: impl Into<String>) -> Self {
        Self::Invalid { field: field.into(), rule: rule.into() }
    }
}

/// The error of a context: its own refusals beside the general ones.
pub trait ContextError: From<Refusal> + std::error::Error {
    /// `HOUSEKEEPING`: the second word of its problem codes.
    const CONTEXT: &'static str;

    /// The general refusal in it; `Err` gives back one of the context's own.
    fn into_general(self) -> Result<Refusal, Self>;

    /// One of the context's own refusals as a problem. Never asked for a general one.
    fn own_problem(&self) -> Problem;
}

/// Lets a context's error be made of the general refusals, so that `?` works on everything a story calls:
/// `platform::general_refusals!(HousekeepingError)` for an enum with a variant `General(Refusal)`.
#[macro_export]
macro_rules! general_refusals {
    ($error:ident) => {
        impl From<$crate::Refusal> for $error {
            fn from(refusal: $crate::Refusal) -> Self {
                Self::General(refusal)
            }
        }
        impl From<$crate::Fault> for $error {
            fn from(fault: $crate::Fault) -> Self {
                Self::General($crate::Refusal::Fault(fault))
            }
        }
        impl From<$crate::database::ImpossibleRow> for $error {
            fn from(row: $crate::database::ImpossibleRow) -> Self {
                Self::General($crate::Refusal::ImpossibleRow(row))
            }
        }
    };
}

/// How a command ends that a context refused.
impl<E: ContextError> From<E> for Outcome {
    fn from(error: E) -> Self {
        match error.into_general() {
            Ok(Refusal::Fault(fault)) => Self::Fault(fault),
            Ok(refusal) => Self::Problem(general_problem(E::CONTEXT, &refusal)),
            Err(own) => Self::Problem(own.own_problem()),
        }
    }
}

/// For reads, which have nothing to commit.
impl<E: ContextError> From<E> for Problem {
    fn from(error: E) -> Self {
        match Outcome::from(error) {
            Outcome::Fault(fault) => Self::from(fault),
            Outcome::Problem(problem) => problem,
        }
    }
}

/// What becomes of an event that a context refused: a fault may pass, an impossible row may be mended, the rest never will.
impl<E: ContextError> From<E> for NotApplied {
    fn from(error: E) -> Self {
        match error.into_general() {
            Ok(Refusal::Fault(fault)) => Self::Fault(fault),
            Ok(Refusal::ImpossibleRow(row)) => Self::Later(row.to_string()),
            Ok(other) => Self::never("EVENT_REFUSED", other.to_string()),
            Err(own) => Self::never("EVENT_REFUSED", own.to_string()),
        }
    }
}

/// The problems that every context can answer with, under its own name.
pub const GENERAL: &[ProblemKind] = &[NOT_FOUND, STALE_VERSION, PROPERTY_FORBIDDEN, NOT_STAFF, INVALID_VALUE];

pub const NOT_FOUND: ProblemKind = ProblemKind::new(404, "NOT_FOUND", "Not found");
pub const STALE_VERSION: ProblemKind = ProblemKind::new(412, "STALE_VERSION", "Somebody was faster");
pub const PROPERTY_FORBIDDEN: ProblemKind = ProblemKind::new(403, "PROPERTY_FORBIDDEN", "Another property");
pub const NOT_STAFF: ProblemKind = ProblemKind::new(403, "NOT_STAFF", "Not a member of the staff");
pub const INVALID_VALUE: ProblemKind = ProblemKind::new(400, "INVALID_VALUE", "A value is not valid");

fn general_problem(context: &str, refusal: &Refusal) -> Problem {
    let detail = refusal.to_string();
    match refusal {
        Refusal::NotFound(_) => NOT_FOUND.problem(context, detail),
        Refusal::StaleVersion { current } => STALE_VERSION
            .problem(context, format!("If-Match: the version is {current} by now; read it again and decide anew"))
            .with("currentVersion", *current),
        Refusal::ForeignProperty => PROPERTY_FORBIDDEN.problem(context, detail),
        Refusal::NotStaff => NOT_STAFF.problem(context, detail),
        Refusal::Invalid { field, .. } => INVALID_VALUE.problem(context, detail).with("field", field.as_ref()),
        Refusal::ImpossibleRow(_) => {
            tracing::error!(error = detail, "a stored row was refused");
            Problem::internal()
        }
        Refusal::Fault(_) => Problem::internal(),
    }
}
