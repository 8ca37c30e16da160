//! A device that was without a connection sends what was punched on it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use contracts::ids::StaffId;
use contracts::time::Timestamp;
use platform::auth::Caller;
use platform::{Refusal, UnitOfWork};

use super::timecard::{Pressed, Timecard};
use super::{LATEST_SECONDS, may_press, same_punch};
use crate::StaffError;
use crate::application::own_id;
use crate::application::pin::{self, Taken};
use crate::domain::person::Person;
use crate::domain::punch::{Punch, Review};
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

/// A device that was without a connection sends what was punched on it, in any order and as often as it likes.
pub async fn replay(
    uow: &mut UnitOfWork,
    caller: &Caller,
    sent_at: Timestamp,
    sent: Vec<(Whose, Pressed)>,
) -> Result<Vec<Replayed>, StaffError> {
    let skew = (uow.now().as_millis() - sent_at.as_millis()) / 1_000;
    let corrected = skew.abs() > SKEW_SECONDS;
    let mut results: Vec<Option<Replayed>> = Vec::with_capacity(sent.len());
    let mut each: BTreeMap<StaffId, Sent> = BTreeMap::new();
    for (place, (whose, mut pressed)) in sent.into_iter().enumerate() {
        if corrected {
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
    // All people first, in the order of their ids.
    let ids: Vec<_> = each.keys().cloned().collect();
    let mut locked = people::lock_all(uow, &ids).await?;
    // A number names one punch on its device, whoever it is of: what is recorded for one is known when it is the next one's turn.
    let mut known = known_to_device(uow, each.values().flat_map(|(_, pressed)| pressed)).await?;
    for (staff, (taken, pressed)) in each {
        let at = locked.iter().position(|person| person.id == staff);
        let person = match (taken, at) {
            (Some(taken), _) => pin::accept(uow, &taken).await,
            (None, Some(at)) => Ok(locked.swap_remove(at)),
            (None, None) => Err(Refusal::NotStaff.into()),
        };
        match person {
            Ok(person) => {
                for (place, result) in replay_of(uow, caller, person, pressed, &mut known).await? {
                    results[place] = Some(result);
                }
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
    Ok(results.into_iter().flatten().collect())
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

/// What one person punched without a connection; each result with the place it was sent in.
async fn replay_of(
    uow: &mut UnitOfWork,
    caller: &Caller,
    person: Person,
    mut each: Vec<(usize, Pressed)>,
    known: &mut HashMap<String, Punch>,
) -> Result<Vec<(usize, Replayed)>, StaffError> {
    let now = uow.now();
    each.sort_by_key(|(at, pressed)| (pressed.at, pressed.kind, *at));
    let first = each.first().map_or(now, |(_, pressed)| pressed.at).max(now.plus_seconds(-31 * 24 * 60 * 60));
    let mut card = Timecard::open(uow, person.clone(), first.min(now), now).await?;
    let named = each.iter().filter_map(|(_, pressed)| pressed.property_id.clone());
    card.know(uow, named.filter(|house| caller.properties.include(house)).collect::<BTreeSet<_>>()).await?;
    card.lock_between(uow, first.min(now), now).await?;
    let mut results = Vec::with_capacity(each.len());
    for (place, pressed) in each {
        let id = pressed.client_punch_id.clone().unwrap_or_default();
        let seen = known.get(&id).cloned();
        let days = card.settings_in(pressed.property_id.as_ref()).offline_max_days;
        let oldest = now.plus_seconds(-24 * 60 * 60 * i64::from(days));
        let foreign = pressed.property_id.as_ref().is_some_and(|house| !caller.properties.include(house));
        let result = match same_punch(seen, &person, &pressed, &id) {
            Err(refused) => Replayed::Refused(refused),
            Ok(Some(punch)) => Replayed::Duplicate(punch),
            Ok(None) if foreign => Replayed::Refused(Refusal::ForeignProperty.into()),
            Ok(None) if pressed.at < oldest || pressed.at > now.plus_seconds(LATEST_SECONDS) => {
                Replayed::Refused(StaffError::PunchTimeOutOfRange {
                    rule: format!("the last {days} days, and not ahead"),
                })
            }
            Ok(None) => match (may_press(&person, pressed.kind), card.same_as(&pressed).cloned()) {
                (Err(refused), _) => Replayed::Refused(refused),
                // Pressed twice, or on two devices.
                (Ok(()), Some(known)) => Replayed::Duplicate(known),
                (Ok(()), None) => match card.press(uow, pressed).await {
                    Ok(punch) => {
                        known.insert(id, punch.clone());
                        Replayed::Recorded(punch)
                    }
                    Err(StaffError::General(fault)) => return Err(StaffError::General(fault)),
                    Err(refused) => Replayed::Refused(refused),
                },
            },
        };
        results.push((place, result));
    }
    card.settle(uow).await?;
    let now: HashMap<_, _> = card.punches.iter().map(|punch| (&punch.id, punch)).collect();
    let told = |result| match result {
        Replayed::Recorded(punch) => Replayed::Recorded(now.get(&punch.id).copied().cloned().unwrap_or(punch)),
        other => other,
    };
    Ok(results.into_iter().map(|(place, result)| (place, told(result))).collect())
}
