//! Everything that is known of a person, for that person.

use contracts::ids::{ClockEntryId, HandoffNoteId, StaffId, TenantId};
use contracts::time::Timestamp;
use platform::UnitOfWork;
use platform::auth::{Caller, Role};
use platform::database::Deed;
use platform::personal::{ArchiveMentionsResource, PersonalRecordResource, Sought, cut_to_size};
use platform::retention::KeptByLaw;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::planning_views::{
    CertificationResource, HandoffResource, LeaveResource, PatternResource, ShiftSuggestionResource,
    SwapRequestResource,
};
use super::shift_views::{PunchResource, ShiftResource};
use super::views::PersonResource;
use super::{is_self, leave, people, shifts as plans};
use crate::StaffError;
use crate::infrastructure::certifications::{self, CertificationFilter};
use crate::infrastructure::leave::{self as kept_leave, LeaveFilter};
use crate::infrastructure::punches::{self, PunchFilter};
use crate::infrastructure::shifts::{self, ShiftFilter};
use crate::infrastructure::{erasure, handoffs, patterns, suggestions, swap_requests};

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
    pub leave: Vec<LeaveResource>,
    pub certifications: Vec<CertificationResource>,
    /// What the person wrote for the next shift.
    pub handoff_notes: Vec<HandoffResource>,
    /// What the person has read of others' notes.
    pub notes_read: Vec<NoteReadResource>,
    pub swap_requests: Vec<SwapRequestResource>,
    /// Patterns that give the person a place.
    pub patterns: Vec<PatternResource>,
    /// What a program proposed for the person.
    pub suggestions: Vec<ShiftSuggestionResource>,
    /// Where the person's PIN was taken.
    pub sign_ins: Vec<SignInResource>,
    /// What happened to the person's record, and who did it.
    pub history: Vec<HistoryResource>,
    /// Where the person is in what is not their own: what they decided of others, where they were placed, what the audit has of them.
    pub records: Vec<PersonalRecordResource>,
    /// Kinds of record of which there is more than fits: the newest are here.
    pub cut: Vec<String>,
    /// What the archive has of the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<ArchiveMentionsResource>,
    /// What stays when the person is forgotten, and why.
    pub kept: Vec<KeptByLaw>,
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

/// A note of somebody else's that the person has read.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "HandoffNoteRead")]
pub struct NoteReadResource {
    pub handoff_note_id: HandoffNoteId,
    pub at: Timestamp,
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
    let on_leave = leave::is_on_leave(uow, &person).await?;
    let filter = ShiftFilter { staff: Some(id.clone()), ..ShiftFilter::default() };
    let found = shifts::list(uow, &filter, MOST).await?;
    let attended = plans::attended_all(uow, found).await?;
    let own = punches::list(uow, &PunchFilter { staff: Some(id.clone()), ..PunchFilter::default() }, MOST).await?;
    let corrections = erasure::revisions(uow, id).await?;
    let sources = erasure::sources(uow, id).await?;
    let history = erasure::history(uow, id).await?;
    let (records, cut) = cut_to_size(erasure::records(uow, id).await?);
    let only_own = |shift: &mut ShiftResource| shift.assignments.retain(|place| place.staff_id == *id);
    let shifts = attended.iter().map(|(shift, there)| {
        let mut shown = ShiftResource::of(shift, there, &caller.tenant, now);
        only_own(&mut shown);
        shown
    });
    let planned = Planned::of(uow, caller, id).await?;
    Ok(ExportResource {
        exported_at: now,
        person: PersonResource::of(&person, caller).away(&person, on_leave),
        leave: planned.leave,
        certifications: planned.certifications,
        handoff_notes: planned.handoff_notes,
        notes_read: planned.notes_read,
        swap_requests: planned.swap_requests,
        patterns: planned.patterns,
        suggestions: planned.suggestions,
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
        records,
        cut,
        archive: None,
        kept: by_law(),
        sign_ins: sources.into_iter().map(|(source, last_at)| SignInResource { source, last_at }).collect(),
        history: history
            .into_iter()
            .map(|one| HistoryResource {
                subject: one.subject,
                occurred_at: one.at,
                actor: one.actor,
                payload: one.payload,
            })
            .collect(),
    })
}

/// Whoever takes everything of a person out of the house is in the audit.
pub fn exported(id: &StaffId) -> Deed {
    Deed::new("internal.person.exported", "staff_member", id.as_str(), &serde_json::json!({ "staffId": id }))
}

/// Under which number the archive has them.
pub fn sought(tenant: &TenantId, id: &StaffId) -> Sought {
    Sought { tenant: tenant.clone(), option: format!("--staff {id}"), numbers: vec![id.as_str().to_owned()] }
}

/// What stays of somebody who is forgotten.
pub fn by_law() -> Vec<KeptByLaw> {
    vec![
        KeptByLaw {
            what: "shifts, punches, corrections and leave, with their days and hours".to_owned(),
            why: "wages and working time have to be shown for as long as labour law wants; they name the person by number alone"
                .to_owned(),
            until: None,
        },
        KeptByLaw {
            what: "who decided what in the audit, as a number".to_owned(),
            why: "what was done to others' records stays explained".to_owned(),
            until: None,
        },
        KeptByLaw {
            what: "the name in events that were published, in the log of the bus and the feed".to_owned(),
            why: "integrators read back for ninety days; each event goes by itself when its time is over".to_owned(),
            until: Some("ninety days after the last event with the name".to_owned()),
        },
    ]
}

/// What was planned with the person, asked for by them and written by them.
struct Planned {
    leave: Vec<LeaveResource>,
    certifications: Vec<CertificationResource>,
    handoff_notes: Vec<HandoffResource>,
    notes_read: Vec<NoteReadResource>,
    swap_requests: Vec<SwapRequestResource>,
    patterns: Vec<PatternResource>,
    suggestions: Vec<ShiftSuggestionResource>,
}

impl Planned {
    async fn of(uow: &mut UnitOfWork, caller: &Caller, id: &StaffId) -> Result<Self, StaffError> {
        let tenant = &caller.tenant;
        let asked = LeaveFilter { staff: Some(id.clone()), ..LeaveFilter::default() };
        let asked = kept_leave::list(uow, &asked, MOST).await?;
        let papers = CertificationFilter { staff: Some(id.clone()), ..CertificationFilter::default() };
        let papers = certifications::list(uow, &papers, MOST).await?;
        let written = handoffs::of_person(uow, id, MOST).await?;
        let read = handoffs::read_by(uow, id, MOST).await?;
        let wishes = swap_requests::list(uow, None, Some(id), None, MOST).await?;
        let mut patterns = patterns::of_person(uow, id).await?;
        for pattern in &mut patterns {
            pattern.template.assignees.retain(|one| one.staff_id == *id);
        }
        let mut proposed = suggestions::of_person(uow, id, MOST).await?;
        for suggestion in &mut proposed {
            suggestion.rows.retain(|row| row.staff_id == *id);
        }
        let note_read = |(handoff_note_id, at)| NoteReadResource { handoff_note_id, at };
        Ok(Self {
            leave: asked.iter().map(|leave| LeaveResource::of(leave, caller, None)).collect(),
            certifications: papers.iter().map(|paper| CertificationResource::of(paper, caller)).collect(),
            handoff_notes: written.iter().map(|note| HandoffResource::of(note, tenant)).collect(),
            notes_read: read.into_iter().map(note_read).collect(),
            swap_requests: wishes
                .iter()
                .map(|(wish, stands)| SwapRequestResource::of(wish, *stands, tenant, None))
                .collect(),
            patterns: patterns.iter().map(|pattern| PatternResource::of(pattern, tenant)).collect(),
            suggestions: proposed.iter().map(|one| ShiftSuggestionResource::of(one, tenant)).collect(),
        })
    }
}
