//! The clock over HTTP.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use contracts::ids::{ClockEntryId, StaffId};
use contracts::values::LocalDate;
use futures_util::{StreamExt, stream};
use platform::auth::{Caller, Role};
use platform::database::StoredResponse;
use platform::http::{
    Answer, Changed, Command, Created, Describe, Id, NoSince, Operation, Page, Paging, Problem, PropertyScope, Query,
    Reply, Who,
};
use platform::{Fault, Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Deserialize;

use super::checks;
use super::shift_bodies::{OverridePunch, OwnSource, PunchTheClock, ReplayPunches, ReviewPunch};
use super::shifts::{after, cursor};
use crate::application::clock::{self as stories, Entry, Pressed, Recorded, Whose};
use crate::application::pin::{Shown, Source, Taken};
use crate::application::shift_views::{PunchResource, RecordedResource, ReplayResource, ReplayResult};
use crate::domain::pin::Pin;
use crate::domain::punch::PunchSource;
use crate::infrastructure::punches::{self, PunchFilter};
use crate::presentation::Staff;
use crate::{SCHEMA, StaffError};

/// 201 for a new punch, 200 for one that was known, or is put right.
pub(super) enum Punched {
    New(Created<RecordedResource>),
    Known(Changed<RecordedResource>),
}

impl Describe for Punched {
    fn describe(operation: &mut Operation<'_>) {
        Created::<RecordedResource>::describe(operation);
        Changed::<RecordedResource>::describe(operation);
    }
}

impl Reply for Punched {
    fn into_stored(self) -> StoredResponse {
        match self {
            Self::New(created) => created.into_stored(),
            Self::Known(changed) => changed.into_stored(),
        }
    }
}

impl Punched {
    fn of<T>(recorded: &Recorded, command: &Command<T>) -> Self {
        let shown = RecordedResource::of(recorded, &command.caller.tenant);
        let version = recorded.punch.version;
        if recorded.entry != Entry::New {
            return Self::Known(Changed::new(&shown, version));
        }
        let location = format!("/staff/v1/clock/entries?staffId={}", recorded.punch.staff_id);
        Self::New(Created::new(&shown, version, location))
    }
}

fn device_number(text: String) -> Result<String, Refusal> {
    let fits = (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    if fits { Ok(text) } else { Err(Refusal::invalid("clientPunchId", "1 to 100 visible characters")) }
}

/// Whoever has no punches of their own says whose they are, with code and PIN.
fn said_at_a_terminal<'a>(
    caller: &Caller,
    staff_code: Option<&'a String>,
    pin: Option<&'a Pin>,
) -> Result<Option<(&'a String, &'a Pin)>, Refusal> {
    let is_terminal = caller.roles.has(Role::Service) && caller.staff.is_none();
    match (is_terminal, staff_code, pin) {
        (false, None, None) => Ok(None),
        (true, Some(code), Some(pin)) => Ok(Some((code, pin))),
        (true, ..) => Err(Refusal::invalid("staffCode", "a terminal says whose it is, with `staffCode` and `pin`")),
        (false, ..) => Err(Refusal::invalid("staffCode", "for terminals; a token of one's own needs none")),
    }
}

fn shown(caller: &Caller, (code, pin): (&String, &Pin)) -> Result<Shown, Refusal> {
    Ok(Shown {
        tenant: caller.tenant.clone(),
        staff_code: checks::staff_code(code)?,
        pin: pin.clone(),
        source: Source::Terminal(caller.subject.clone()),
    })
}

pub(super) async fn punch(
    State(staff): State<Staff>,
    command: Command<PunchTheClock>,
) -> Result<Answer<Punched>, Problem> {
    let said = said_at_a_terminal(&command.caller, command.body.staff_code.as_ref(), command.body.pin.as_ref());
    let shown = said.and_then(|said| said.map(|said| shown(&command.caller, said)).transpose());
    let shown = shown.map_err(StaffError::from)?;
    // A repetition is told what came of it, and its PIN is not judged again.
    if shown.is_some()
        && let Some(answer) = command.answered(&staff.db, &SCHEMA).await
    {
        return Ok(answer);
    }
    let taken = match &shown {
        Some(shown) => Some(staff.desk.judge(shown).await?),
        None => None,
    };
    let story = async |uow: &mut UnitOfWork| {
        let body = command.body.clone();
        let source = match (body.source, &body.device_id) {
            (Some(OwnSource::ElectronPin), _) => PunchSource::ElectronPin,
            (Some(OwnSource::Mobile), _) => PunchSource::Mobile,
            (None, _) if taken.is_some() => PunchSource::ElectronPin,
            (Some(OwnSource::Web) | None, _) => PunchSource::Web,
        };
        let pressed = Pressed {
            kind: body.kind,
            at: body.at.unwrap_or(uow.now()),
            property_id: body.property_id,
            shift_id: body.shift_id,
            source,
            device_id: body.device_id,
            client_punch_id: body.client_punch_id.map(device_number).transpose()?,
            offline: false,
            reason: None,
            needs_review: Vec::new(),
        };
        let who = (body.staff_id.as_ref(), taken.as_ref());
        let recorded = stories::punch(uow, &command.caller, who, pressed).await?;
        Ok::<_, StaffError>(Punched::of(&recorded, &command))
    };
    Ok(command.run(&staff.db, &SCHEMA, story).await)
}

pub(super) async fn override_punch(State(staff): State<Staff>, command: Command<OverridePunch>) -> Answer<Punched> {
    let story = async |uow: &mut UnitOfWork| {
        let body = command.body.clone();
        let reason = checks::note("reason", Some(body.reason))?.filter(|reason| !reason.trim().is_empty());
        let reason = reason.ok_or_else(|| Refusal::invalid("reason", "say why, in a few words"))?;
        let recorded = match (body.clock_entry_id, body.staff_id, body.kind) {
            (Some(entry), None, None) => {
                let by = (&*command.caller, command.if_match.as_ref());
                stories::correct(uow, by, &entry, body.at, reason).await?
            }
            (None, Some(person), Some(kind)) => {
                let pressed = Pressed {
                    kind,
                    at: body.at,
                    property_id: body.property_id,
                    shift_id: body.shift_id,
                    source: PunchSource::ManagerOverride,
                    device_id: None,
                    client_punch_id: None,
                    offline: false,
                    reason: Some(reason),
                    needs_review: Vec::new(),
                };
                stories::add(uow, &command.caller, &person, pressed).await?
            }
            _ => return Err(Refusal::invalid("clockEntryId", "this, or staffId with kind").into()),
        };
        Ok::<_, StaffError>(Punched::of(&recorded, &command))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn replay(
    State(staff): State<Staff>,
    command: Command<ReplayPunches>,
) -> Result<Answer<Changed<ReplayResource>>, Problem> {
    if command.caller.staff.is_none()
        && let Some(answer) = command.answered(&staff.db, &SCHEMA).await
    {
        return Ok(answer);
    }
    let whose = whose_punches(&staff, &command).await?;
    let story = async |uow: &mut UnitOfWork| {
        let ReplayPunches { device_id, sent_at, punches } = command.body.clone();
        if !(1..=500).contains(&punches.len()) {
            return Err(Refusal::invalid("punches", "1 to 500").into());
        }
        let numbers: Vec<String> = punches.iter().map(|punch| punch.client_punch_id.clone()).collect();
        let mut pressed = Vec::with_capacity(punches.len());
        for (whose, punch) in whose.into_iter().zip(punches) {
            let one = Pressed {
                kind: punch.kind,
                at: punch.at,
                property_id: punch.property_id,
                shift_id: punch.shift_id,
                source: if matches!(whose, Whose::Own) { PunchSource::Mobile } else { PunchSource::ElectronPin },
                device_id: Some(device_id.clone()),
                client_punch_id: Some(device_number(punch.client_punch_id)?),
                offline: true,
                reason: None,
                needs_review: Vec::new(),
            };
            pressed.push((whose, one));
        }
        let replayed = stories::replay(uow, &command.caller, sent_at, pressed).await?;
        let results = numbers.into_iter().zip(replayed);
        let results = results.map(|(number, one)| ReplayResult::of(number, one, |error| Problem::from(error).code));
        Ok::<_, StaffError>(Changed::unversioned(&ReplayResource { results: results.collect() }))
    };
    Ok(command.run(&staff.db, &SCHEMA, story).await)
}

/// So many PINs of a replay are looked at at once: no more than there ever are hashes.
const PINS_AT_ONCE: usize = 4;
/// No PIN of a replay is begun with later than this: what is known by then is answered before the request's time is over.
const PINS_FOR: Duration = Duration::from_secs(20);

/// Whose each punch is. Everybody's PIN is looked at once, however often they punched. Where there is no time for all, the others are told
/// to come again: sent again as a whole, it would never come to an end. Nor would it with a code that was mistyped into none that can be: it
/// is refused by itself, and keeps nobody else's punches back.
async fn whose_punches(staff: &Staff, command: &Command<ReplayPunches>) -> Result<Vec<Whose>, StaffError> {
    let sent = command.body.punches.iter().take(500);
    let each = sent.map(|punch| {
        let said = said_at_a_terminal(&command.caller, punch.staff_code.as_ref(), punch.pin.as_ref())?;
        Ok(said.map(|said| shown(&command.caller, said)))
    });
    let each = each.collect::<Result<Vec<_>, Refusal>>()?;
    let who = |shown: &Shown| (shown.staff_code.clone(), shown.pin.clone());
    let readable = each.iter().flatten().flatten();
    let people: BTreeMap<_, _> = readable.map(|shown| (who(shown), shown.clone())).collect();
    let begun = Instant::now();
    let judging = people.into_iter().map(|(who, shown)| {
        let desk = staff.desk.clone();
        async move {
            let in_time = begun.elapsed() < PINS_FOR;
            (who, if in_time { desk.judge(&shown).await } else { Err(Fault::Exhausted.into()) })
        }
    });
    let mut judging = stream::iter(judging).buffer_unordered(PINS_AT_ONCE);
    let mut judged: BTreeMap<(String, Pin), Result<Taken, StaffError>> = BTreeMap::new();
    while let Some((who, outcome)) = judging.next().await {
        match outcome {
            Err(StaffError::General(Refusal::Fault(fault))) if !matches!(fault, Fault::Exhausted) => {
                return Err(fault.into());
            }
            outcome => judged.insert(who, outcome),
        };
    }
    let judged = |shown: &Shown| match judged.get(&who(shown)) {
        Some(Ok(taken)) => Whose::Shown(taken.clone()),
        Some(Err(StaffError::PinLocked { seconds })) => Whose::Nobodys(StaffError::PinLocked { seconds: *seconds }),
        Some(Err(StaffError::General(_))) => Whose::Nobodys(Fault::Exhausted.into()),
        _ => Whose::Nobodys(StaffError::PinRefused),
    };
    let whose = |shown: Result<Shown, Refusal>| match shown {
        Ok(shown) => judged(&shown),
        Err(unreadable) => Whose::Nobodys(unreadable.into()),
    };
    Ok(each.into_iter().map(|shown| shown.map_or(Whose::Own, whose)).collect())
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PunchQuery {
    /// Whose; leaders may ask for anybody's, others for their own.
    staff_id: Option<StaffId>,
    /// The first day, on the clock of the house.
    from: Option<LocalDate>,
    /// The last day.
    to: Option<LocalDate>,
    /// Those that somebody should look at, or those that nobody need.
    needs_review: Option<bool>,
}

pub(super) async fn entries(
    State(staff): State<Staff>,
    Who(caller): Who,
    PropertyScope(properties): PropertyScope,
    paging: Paging,
    _: NoSince,
    Query(query): Query<PunchQuery>,
) -> Result<Json<Page<PunchResource>>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let whose = stories::visible(&caller, query.staff_id)?;
        let filter = PunchFilter {
            properties,
            staff: whose,
            from: query.from,
            to: query.to,
            needs_review: query.needs_review,
            after: after(paging.after.as_deref())?,
        };
        punches::list(uow, &filter, paging.rows()).await
    };
    let found = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    let items = found.iter().map(|punch| PunchResource::of(punch, &caller.tenant)).collect();
    Ok(Json(Page::cut(items, paging.limit, |punch: &PunchResource| {
        cursor(punch.occurred_at_utc, &punch.clock_entry_id)
    })))
}

pub(super) async fn review(
    State(staff): State<Staff>,
    Id(id): Id<ClockEntryId>,
    command: Command<ReviewPunch>,
) -> Answer<Changed<PunchResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let note = checks::note("note", command.body.note.clone())?;
        let punch = stories::review(uow, &command.caller, command.if_match.as_ref(), &id, note).await?;
        Ok::<_, StaffError>(Changed::new(&PunchResource::of(&punch, &command.caller.tenant), punch.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}
