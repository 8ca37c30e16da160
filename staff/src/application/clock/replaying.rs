//! A device that was without a connection sends what was punched on it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use contracts::ids::StaffId;
use contracts::time::Timestamp;
use platform::auth::Caller;
use platform::{Refusal, UnitOfWork};

use super::so_far::SoFar;
use super::timecard::{Pressed, Timecard};
use super::{LATEST_SECONDS, may_press, same_punch};
use crate::StaffError;
use crate::application::own_id;
use crate::application::pin::{self, Taken};
use crate::domain::person::Person;
use crate::domain::punch::{Punch, PunchKind, Review};
use crate::infrastructure::{people, punches};

/// A clock of a device that is wrong by more than this is corrected.
const SKEW_SECONDS: i64 = 60;

/// What became of one punch of a replay.
#[derive(Debug)]
pub enum Replayed {
    Recorded(Punch),
    Duplicate(Punch),
    Refused(StaffError),
}

/// Whose punch it is that a device sends later.
#[derive(Debug)]
pub enum Whose {
    /// The caller's own.
    Own,
    /// Of somebody who showed code and PIN at a terminal.
    Shown(Taken),
    /// Of nobody: the PIN was refused.
    Nobodys(StaffError),
}

/// What one person sends: the PIN that was right, and each punch with its place in what was sent.
type Sent = (Option<Taken>, Vec<(usize, Pressed)>);

/// A device that was without a connection sends what was punched on it, in any order and as often as it likes. Whoever it is of: it is
/// taken in the order in which it was punched.
pub async fn replay(
    uow: &mut UnitOfWork,
    caller: &Caller,
    sent_at: Timestamp,
    sent: Vec<(Whose, Pressed)>,
) -> Result<Vec<Replayed>, StaffError> {
    let skew = (uow.now().as_millis() - sent_at.as_millis()) / 1_000;
    let mut results = Vec::with_capacity(sent.len());
    let each = by_person(caller, skew, sent, &mut results)?;
    // All people first, in the order of their ids.
    let ids: Vec<_> = each.keys().cloned().collect();
    let mut locked = people::lock_all(uow, &ids).await?;
    // A number names one punch on its device, whoever it is of: what is recorded for one is known when it is the next one's turn.
    let known = known_to_device(uow, each.values().flat_map(|(_, pressed)| pressed)).await?;
    let (mut senders, mut waiting) = (Vec::new(), Vec::new());
    for (staff, (taken, pressed)) in each {
        let at = locked.iter().position(|person| person.id == staff);
        let person = match (&taken, at) {
            (Some(taken), _) => pin::accept(uow, taken).await,
            (None, Some(at)) => Ok(locked.swap_remove(at)),
            (None, None) => Err(Refusal::NotStaff.into()),
        };
        match person {
            Ok(person) => {
                let sender = Sender::open(uow, caller, person, taken.is_some(), &pressed).await?;
                waiting.extend(pressed.into_iter().map(|(place, pressed)| (senders.len(), place, pressed)));
                senders.push(sender);
            }
            // Another PIN by now, or gone.
            Err(StaffError::PinRefused) => {
                for (place, _) in pressed {
                    results[place] = Some(Replayed::Refused(StaffError::PinRefused));
                }
            }
            Err(other) => return Err(other),
        }
    }
    waiting.sort_by_key(|(_, place, pressed)| (pressed.at, pressed.kind, *place));
    for (place, result) in press_all(uow, caller, &mut senders, waiting, known).await? {
        results[place] = Some(result);
    }
    Ok(results.into_iter().flatten().collect())
}

/// What each person sends, by the right time. What is nobody's is refused at once.
fn by_person(
    caller: &Caller,
    skew: i64,
    sent: Vec<(Whose, Pressed)>,
    results: &mut Vec<Option<Replayed>>,
) -> Result<BTreeMap<StaffId, Sent>, StaffError> {
    let mut each: BTreeMap<StaffId, Sent> = BTreeMap::new();
    for (place, (whose, mut pressed)) in sent.into_iter().enumerate() {
        if skew.abs() > SKEW_SECONDS {
            pressed.at = pressed.at.plus_seconds(skew);
            pressed.needs_review.push(Review::DeviceTime);
        }
        let (staff, taken) = match whose {
            Whose::Own => (own_id(caller)?, None),
            Whose::Shown(taken) => (taken.staff_id.clone(), Some(taken)),
            Whose::Nobodys(refused) => {
                results.push(Some(Replayed::Refused(refused)));
                continue;
            }
        };
        results.push(None);
        each.entry(staff).or_insert_with(|| (taken, Vec::new())).1.push((place, pressed));
    }
    Ok(each)
}

/// Presses each punch on the card of its sender, in this order; each result with the place it was sent in.
async fn press_all(
    uow: &mut UnitOfWork,
    caller: &Caller,
    senders: &mut [Sender],
    waiting: Vec<(usize, usize, Pressed)>,
    mut known: HashMap<String, Punch>,
) -> Result<Vec<(usize, Replayed)>, StaffError> {
    let (mut so_far, latest) = (SoFar::default(), uow.now().plus_seconds(LATEST_SECONDS));
    // All shifts, after all people.
    so_far.lock(uow, senders.iter().flat_map(|one| one.card.shifts_between(one.first, latest))).await?;
    let mut results = Vec::with_capacity(waiting.len());
    for (whose, place, pressed) in waiting {
        let sender = &mut senders[whose];
        // What one has done to a shift, the next finds done.
        sender.card.so_far = std::mem::take(&mut so_far);
        results.push((place, sender.send(uow, caller, pressed, &mut known).await?));
        so_far = std::mem::take(&mut sender.card.so_far);
    }
    for Sender { card, .. } in senders.iter_mut() {
        card.so_far = std::mem::take(&mut so_far);
        card.settle(uow).await?;
        so_far = std::mem::take(&mut card.so_far);
    }
    let now: HashMap<_, _> = senders.iter().flat_map(|one| &one.card.punches).map(|punch| (&punch.id, punch)).collect();
    let told = |result| match result {
        Replayed::Recorded(punch) => Replayed::Recorded(now.get(&punch.id).copied().cloned().unwrap_or(punch)),
        other => other,
    };
    Ok(results.into_iter().map(|(place, result)| (place, told(result))).collect())
}

/// What was recorded before under the numbers that a device sends, by them.
async fn known_to_device(
    uow: &mut UnitOfWork,
    sent: impl Iterator<Item = &(usize, Pressed)> + Clone,
) -> Result<HashMap<String, Punch>, StaffError> {
    let Some(device) = sent.clone().find_map(|(_, pressed)| pressed.device_id.clone()) else {
        return Ok(HashMap::new());
    };
    let ids: Vec<_> = sent.filter_map(|(_, pressed)| pressed.client_punch_id.clone()).collect();
    let known = punches::by_device(uow, &device, &ids).await?;
    Ok(known.into_iter().filter_map(|punch| Some((punch.client_punch_id.clone()?, punch))).collect())
}

/// Somebody whose punches a device sends.
struct Sender {
    card: Timecard,
    /// With code and PIN, at a terminal.
    shown: bool,
    /// The first of them.
    first: Timestamp,
}

impl Sender {
    async fn open(
        uow: &mut UnitOfWork,
        caller: &Caller,
        person: Person,
        shown: bool,
        sent: &[(usize, Pressed)],
    ) -> Result<Self, StaffError> {
        let now = uow.now();
        let first = sent.iter().map(|(_, pressed)| pressed.at).min().unwrap_or(now);
        let first = first.max(now.plus_seconds(-31 * 24 * 60 * 60)).min(now);
        let mut card = Timecard::open(uow, person, first, now).await?;
        let named = sent.iter().filter_map(|(_, pressed)| pressed.property_id.clone());
        card.know(uow, named.filter(|house| caller.properties.include(house)).collect::<BTreeSet<_>>()).await?;
        Ok(Self { card, shown, first })
    }

    /// One of their punches, in its turn.
    async fn send(
        &mut self,
        uow: &mut UnitOfWork,
        caller: &Caller,
        pressed: Pressed,
        known: &mut HashMap<String, Punch>,
    ) -> Result<Replayed, StaffError> {
        let id = pressed.client_punch_id.clone().unwrap_or_default();
        let taken = match self.judge(uow.now(), caller, &pressed, known.get(&id)) {
            Ok(Some(known)) => return Ok(Replayed::Duplicate(known)),
            Ok(None) => self.card.press(uow, pressed).await,
            Err(refused) => return Ok(Replayed::Refused(refused)),
        };
        match taken {
            Ok(punch) => {
                known.insert(id, punch.clone());
                Ok(Replayed::Recorded(punch))
            }
            Err(StaffError::General(fault)) => Err(StaffError::General(fault)),
            Err(refused) => Ok(Replayed::Refused(refused)),
        }
    }

    /// Whether it may be pressed; or what it is once more.
    fn judge(
        &self,
        now: Timestamp,
        caller: &Caller,
        pressed: &Pressed,
        seen: Option<&Punch>,
    ) -> Result<Option<Punch>, StaffError> {
        let (card, id) = (&self.card, pressed.client_punch_id.as_deref().unwrap_or_default());
        if let Some(known) = same_punch(seen.cloned(), &card.person, pressed, id)? {
            return Ok(Some(known));
        }
        if let Some(house) = &pressed.property_id {
            caller.within(house)?;
        }
        let days = card.settings_in(pressed.property_id.as_ref()).offline_max_days;
        let oldest = now.plus_seconds(-24 * 60 * 60 * i64::from(days));
        if pressed.at < oldest || pressed.at > now.plus_seconds(LATEST_SECONDS) {
            return Err(StaffError::PunchTimeOutOfRange { rule: format!("the last {days} days, and not ahead") });
        }
        may_press(&card.person, pressed.kind)?;
        // Pressed twice, or on two devices.
        if let Some(known) = card.same_as(pressed) {
            return Ok(Some(known.clone()));
        }
        // As for one who punches now: whoever came may rest and go by their own token, though the house is not theirs any more.
        if pressed.kind == PunchKind::In || self.shown {
            caller.within(&card.house_of(pressed)?)?;
        }
        Ok(None)
    }
}
