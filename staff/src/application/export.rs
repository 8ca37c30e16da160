//! Everything that is known of a person, for that person.

use contracts::ids::{ClockEntryId, StaffId};
use contracts::time::Timestamp;
use platform::UnitOfWork;
use platform::auth::{Caller, Role};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::shift_views::{PunchResource, ShiftResource};
use super::views::PersonResource;
use super::{is_self, people, shifts as plans};
use crate::StaffError;
use crate::infrastructure::punches::{self, PunchFilter};
use crate::infrastructure::shifts::{self, ShiftFilter};
use crate::infrastructure::erasure;

/// The most shifts and punches that are handed out at once; more than three years of either.
const MOST: i64 = 20_000;

/// All of it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PersonExport")]
pub struct ExportResource {
    pub exported_at: Timestamp,
    pub person: PersonResource,
    pub shifts: Vec<ShiftResource>,
    pub clock_entries: Vec<PunchResource>,
    pub corrections: Vec<CorrectionResource>,
    /// Where the person's PIN was taken.
    pub sign_ins: Vec<SignInResource>,
    /// What happened to the person's record, and who did it.
    pub history: Vec<HistoryResource>,
}

/// What a punch was before it was corrected.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ClockCorrection")]
pub struct CorrectionResource {
    pub clock_entry_id: ClockEntryId,
    pub version: i32,
    pub occurred_at_utc: Timestamp,
    pub reason: String,
    pub corrected_by: Value,
    pub corrected_at: Timestamp,
}

/// A place where the person's PIN was taken.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PinSource")]
pub struct SignInResource {
    pub source: String,
    pub last_at: Timestamp,
}

/// Something that happened to the person's record.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PersonHistory")]
pub struct HistoryResource {
    pub subject: String,
    pub occurred_at: Timestamp,
    pub actor: Value,
    pub payload: Value,
}

/// Everything, to the person and to whoever answers for the hotel.
pub async fn export(uow: &mut UnitOfWork, caller: &Caller, id: &StaffId) -> Result<ExportResource, StaffError> {
    let person = people::look_up(uow, caller, id).await?;
    if !is_self(caller, id) && !caller.roles.has(Role::Admin) {
        return Err(StaffError::NotSelf { field: "staffId" });
    }
    let now = uow.now();
    let filter = ShiftFilter { staff: Some(id.clone()), ..ShiftFilter::default() };
    let found = shifts::list(uow, &filter, MOST).await?;
    let attended = plans::attended_all(uow, found).await?;
    let own = punches::list(uow, &PunchFilter { staff: Some(id.clone()), ..PunchFilter::default() }, MOST).await?;
    let corrections = erasure::revisions(uow, id).await?;
    let sources = erasure::sources(uow, id).await?;
    let history = erasure::history(uow, id).await?;
    let only_own = |shift: &mut ShiftResource| shift.assignments.retain(|place| place.staff_id == *id);
    let shifts = attended.iter().map(|(shift, there)| {
        let mut shown = ShiftResource::of(shift, there, &caller.tenant, now);
        only_own(&mut shown);
        shown
    });
    Ok(ExportResource {
        exported_at: now,
        person: PersonResource::of(&person, caller),
        shifts: shifts.collect(),
        clock_entries: own.iter().map(|punch| PunchResource::of(punch, &caller.tenant)).collect(),
        corrections: corrections
            .into_iter()
            .map(|one| CorrectionResource {
                clock_entry_id: one.entry,
                version: one.version,
                occurred_at_utc: one.at,
                reason: one.reason,
                corrected_by: one.by,
                corrected_at: one.revised_at,
            })
            .collect(),
        sign_ins: sources.into_iter().map(|(source, last_at)| SignInResource { source, last_at }).collect(),
        history: history
            .into_iter()
            .map(|one| HistoryResource { subject: one.subject, occurred_at: one.at, actor: one.actor, payload: one.payload })
            .collect(),
    })
}
