//! A planner elsewhere, asked over HTTP. It has half of the time; when it fails, the built-in planner has the rest.

use std::sync::Arc;
use std::time::{Duration, Instant};

use contracts::external::RoutingRow;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use platform::outbound::{self, Bounds};
use serde::Deserialize;

use super::{Budget, BuiltInPlanner};
use crate::application::routing_answers::believed;
use crate::application::routing_port::{RoutingError, RoutingInput, RoutingPort};
use crate::domain::suggestion::{Proposal, SuggestionSource};

/// Half of what a plan may take: the built-in planner needs the other half when this one does not answer.
const ASKED: Bounds = Bounds { within: Duration::from_millis(600), bytes: 4 * 1024 * 1024 };
/// A part of a usual search, so that it ends by itself and not by the deadline.
const FALLBACK_MOVES: u64 = 4_000_000;

/// The planner elsewhere.
#[derive(Debug)]
pub struct Orchestrator {
    url: String,
    fallback: BuiltInPlanner,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    rows: Vec<RoutingRow>,
    #[serde(default)]
    model_version: Option<String>,
}

impl Orchestrator {
    pub fn new(url: String) -> Self {
        Self { url, fallback: BuiltInPlanner::default() }
    }

    async fn ask(&self, input: &RoutingInput) -> Result<Proposal, String> {
        let body = serde_json::to_vec(input).map_err(|error| error.to_string())?;
        let text = outbound::post_json(&self.url, body, ASKED).await?;
        // What was sent instead of a plan may be anybody's data: the log says where it went wrong, and not what it says.
        let answer: Answer = serde_json::from_str(&text)
            .map_err(|error| format!("the answer is no plan: line {}, column {}", error.line(), error.column()))?;
        let told = answer.rows.len();
        let version = answer.model_version.as_deref().unwrap_or("orchestrator");
        let (proposal, dropped) = believed(SuggestionSource::Orchestrator, version, answer.rows, input);
        if dropped > 0 {
            tracing::warn!(told, dropped, "rows of the orchestrator were not believed");
        }
        if proposal.rows.is_empty() {
            Err("the answer has no row that could be believed".to_owned())
        } else {
            Ok(proposal)
        }
    }
}

impl RoutingPort for Orchestrator {
    fn suggest(&self, input: Arc<RoutingInput>, asked: Instant) -> BoxFuture<'_, Result<Proposal, RoutingError>> {
        async move {
            let budget = Budget { moves: Some(FALLBACK_MOVES), asked };
            match self.ask(&input).await {
                Ok(proposal) => Ok(proposal),
                Err(detail) => {
                    tracing::warn!(detail, "the orchestrator gave no plan; the built-in planner does");
                    self.fallback.plan(input, budget, SuggestionSource::PlannerFallback).await
                }
            }
        }
        .boxed()
    }
}
