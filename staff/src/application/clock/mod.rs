//! People punch the clock, now or later, and managers put right what they forgot.

mod forgotten;
mod joining;
mod periods;
mod replaying;
mod so_far;
mod supposing;
mod timecard;

use contracts::ids::{ClockEntryId, StaffId};
use contracts::time::Timestamp;
pub(crate) use joining::{take_along, take_along_to_nearest};
use platform::auth::{Caller, Role};
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};
pub use replaying::{Replayed, Whose, replay};
pub use timecard::Pressed;
use timecard::Timecard;

use super::pin::{self, Taken};
use super::{is_leader, is_own, is_self, own_id, people as persons};
use crate::StaffError;
use crate::domain::person::{Employment, Person};
use crate::domain::punch::{Presence, Punch, PunchKind, Review, fits, rest_ended_with};
use crate::infrastructure::{people, punches};

/// The same kind of punch within this is the same punch.
const SAME_SECONDS: i64 = 60;
const EARLIEST_SECONDS: i64 = 5 * 60;
const LATEST_SECONDS: i64 = 2 * 60;
/// How far back a manager may put something right.
const OVERRIDE_SECONDS: i64 = 62 * 24 * 60 * 60;

/// What became of the entry of a punch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    New,
    /// It was there before, and nothing was changed.
    Known,
    /// It was there, and says another time now.
    Corrected,
}

/// A punch and what it leads to.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub punch: Punch,
    pub presence: Presence,
    pub entry: Entry,
}

/// Who may punch: whoever works here; who is sent home may only go.
fn may_press(person: &Person, kind: PunchKind) -> Result<(), StaffError> {
    match person.employment {
        Employment::PendingInvite | Employment::Active => Ok(()),
        Employment::Suspended if kind == PunchKind::Out => Ok(()),
        Employment::Suspended | Employment::Terminated(_) => Err(StaffError::StaffNotActive),
    }
}

/// Somebody punches, now: by a token of their own, or at a terminal with code and PIN.
pub async fn punch(
    uow: &mut UnitOfWork,
    caller: &Caller,
    (staff, shown): (Option<&StaffId>, Option<&Taken>),
    pressed: Pressed,
) -> Result<Recorded, StaffError> {
    let now = uow.now();
    let (first, last) = (now.plus_seconds(-EARLIEST_SECONDS), now.plus_seconds(LATEST_SECONDS));
    let near = pressed.at.clamp(first, last);
    let mut card = match shown {
        Some(taken) => {
            let person = pin::accept(uow, taken).await?;
            Timecard::open(uow, person, near, near).await?
        }
        None if staff.is_some_and(|staff| !is_self(caller, staff)) => {
            return Err(StaffError::NotSelf { field: "staffId" });
        }
        None => Timecard::lock(uow, &own_id(caller)?, near).await?,
    };
    if let Some(house) = &pressed.property_id {
        caller.within(house)?;
    }
    if pressed.at != near {
        let rule = "from 5 minutes ago to 2 minutes ahead; what is older comes by offline-replay or by a manager";
        return Err(StaffError::PunchTimeOutOfRange { rule: rule.to_owned() });
    }
    if let Some(known) = known_by_device(uow, &card.person, &pressed).await? {
        let card = Timecard::open(uow, card.person, now, now).await?;
        return Ok(Recorded { punch: known, presence: card.folded().presence(), entry: Entry::Known });
    }
    may_press(&card.person, pressed.kind)?;
    if let Some(known) = card.same_as(&pressed) {
        let presence = card.folded().presence();
        return Ok(Recorded { punch: known.clone(), presence, entry: Entry::Known });
    }
    let coming = pressed.kind == PunchKind::In;
    let punch = card.press(uow, pressed).await?;
    // Whoever came may rest and go by their own token, though the house is not theirs any more.
    if coming || shown.is_some() {
        caller.within(&punch.property_id)?;
    }
    card.settle(uow).await?;
    Ok(Recorded { punch: card.now_of(punch), presence: card.folded().presence(), entry: Entry::New })
}

/// A punch that the device sent before under the same number of its own. Other content under it is refused; where a clock was wrong
/// when either of the two was sent, another time is no other content.
async fn known_by_device(
    uow: &mut UnitOfWork,
    person: &Person,
    pressed: &Pressed,
) -> Result<Option<Punch>, StaffError> {
    let (Some(device), Some(id)) = (&pressed.device_id, &pressed.client_punch_id) else { return Ok(None) };
    let known = punches::by_device(uow, device, std::slice::from_ref(id)).await?.pop();
    same_punch(known, person, pressed, id)
}

fn same_punch(known: Option<Punch>, person: &Person, pressed: &Pressed, id: &str) -> Result<Option<Punch>, StaffError> {
    let Some(known) = known else { return Ok(None) };
    let clock_was_wrong =
        [&known.needs_review, &pressed.needs_review].iter().any(|why| why.contains(&Review::DeviceTime));
    let same_time = (known.at.as_millis() - pressed.at.as_millis()).abs() <= 1_000 * SAME_SECONDS;
    let same = known.staff_id == person.id
        && known.kind == pressed.kind
        && (same_time || clock_was_wrong || known.version > 1);
    if same { Ok(Some(known)) } else { Err(StaffError::ClientPunchIdReused { id: id.to_owned() }) }
}

/// The person a manager acts for; oneself only as an admin.
async fn for_person(uow: &mut UnitOfWork, caller: &Caller, staff: &StaffId) -> Result<Person, StaffError> {
    let person = people::lock(uow, staff).await?.filter(|person| persons::sees(caller, person));
    let person = person.ok_or(StaffError::ReferenceUnknown { field: "staffId", what: "person" })?;
    if is_own(caller, &person) && !caller.roles.has(Role::Admin) {
        return Err(StaffError::NotSelf { field: "staffId" });
    }
    Ok(person)
}

fn check_reach(now: Timestamp, at: Timestamp) -> Result<(), StaffError> {
    if at > now.plus_seconds(LATEST_SECONDS) || at < now.plus_seconds(-OVERRIDE_SECONDS) {
        return Err(StaffError::PunchTimeOutOfRange { rule: "the last 62 days, and not ahead".to_owned() });
    }
    Ok(())
}

/// A manager punches for somebody who forgot.
pub async fn add(
    uow: &mut UnitOfWork,
    caller: &Caller,
    staff: &StaffId,
    pressed: Pressed,
) -> Result<Recorded, StaffError> {
    let person = for_person(uow, caller, staff).await?;
    check_reach(uow.now(), pressed.at)?;
    may_press(&person, pressed.kind)?;
    let mut card = Timecard::open(uow, person, pressed.at, pressed.at).await?;
    let punch = card.press(uow, pressed).await?;
    caller.within(&punch.property_id)?;
    card.settle(uow).await?;
    // In place of what was believed it is an entry that was there.
    let entry = if punch.version > 1 { Entry::Corrected } else { Entry::New };
    Ok(Recorded { punch: card.now_of(punch), presence: card.folded().presence(), entry })
}

/// A manager corrects when it was. What it was, who changed it and why stays; the sequence may not break. Whoever went home from a break
/// ended it then, and an `in` that came to no shift may be of one then.
pub async fn correct(
    uow: &mut UnitOfWork,
    (caller, if_match): (&Caller, Option<&IfMatch>),
    id: &ClockEntryId,
    at: Timestamp,
    reason: String,
) -> Result<Recorded, StaffError> {
    let unknown = || StaffError::ReferenceUnknown { field: "clockEntryId", what: "clock entry" };
    let found = punches::find(uow, id).await?.filter(|punch| caller.properties.include(&punch.property_id));
    let seen = found.ok_or_else(unknown)?;
    let person = for_person(uow, caller, &seen.staff_id).await?;
    check_reach(uow.now(), at)?;
    let mut card = Timecard::open(uow, person, seen.at.min(at), seen.at.max(at)).await?;
    let place = card.punches.iter().position(|punch| punch.id == *id).ok_or_else(unknown)?;
    IfMatch::check(if_match, card.punches[place].version)?;
    let was = card.punches[place].clone();
    let rest = rest_ended_with(&card.punches, &was).cloned().map(|rest| rest.correct(at, reason.clone()));
    let decided = card.put_right(was.clone(), at, reason);
    let mut after = card.punches.clone();
    after[place] = decided.state().clone();
    if let Some(rest) = &rest {
        after.retain(|punch| punch.id != rest.state().id);
        after.push(rest.state().clone());
    }
    card.check_day_of(uow, &card.punches, &was).await?;
    card.check_day_of(uow, &after, decided.state()).await?;
    if !fits(&card.punches, &after) {
        return Err(StaffError::ClockSequence { state: card.until(at).presence() });
    }
    if let Some(rest) = rest {
        let rest = uow.save(rest);
        card.put(rest);
    }
    let punch = uow.save(decided);
    card.put(punch.clone());
    if punch.shift_id != was.shift_id && !punch.is_orphan() {
        card.begin_shift_of(uow, &punch).await?;
    }
    // What a manager says is so, however long it is.
    card.belong_anew(uow).await?;
    card.first_came_at(uow, &punch, was.at).await?;
    Ok(Recorded { punch: card.now_of(punch), presence: card.folded().presence(), entry: Entry::Corrected })
}

/// Somebody has looked at a punch and it is well as it is.
pub async fn review(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &ClockEntryId,
    note: Option<String>,
) -> Result<Punch, StaffError> {
    let found = punches::find(uow, id).await?.filter(|punch| caller.properties.include(&punch.property_id));
    let seen = found.ok_or(Refusal::NotFound("clock entry"))?;
    people::lock(uow, &seen.staff_id).await?;
    let punch = punches::find(uow, id).await?.ok_or(Refusal::NotFound("clock entry"))?;
    IfMatch::check(if_match, punch.version)?;
    Ok(uow.save(punch.review(note)))
}

/// Whose punches a caller may look at: leaders anybody's, others their own.
pub fn visible(caller: &Caller, asked: Option<StaffId>) -> Result<Option<StaffId>, StaffError> {
    if is_leader(caller) {
        return Ok(asked);
    }
    let own = own_id(caller)?;
    match asked {
        Some(other) if other != own => Err(StaffError::NotSelf { field: "staffId" }),
        _ => Ok(Some(own)),
    }
}
