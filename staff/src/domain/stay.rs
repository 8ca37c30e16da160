//! How long somebody is believed to have stayed who was never seen to go. It follows from what they punched alone, and so neither from the
//! order in which it came nor from when the clock was stopped.

use contracts::ids::ClockEntryId;
use contracts::time::Timestamp;

use super::punch::{Punch, PunchKind, PunchSource};
use super::settings::Settings;

/// What is of one moment is ordered by its kind: what is to come behind a punch is a little later.
pub fn just_after(punch: Timestamp) -> Timestamp {
    Timestamp::from_millis(punch.as_millis() + 1)
}

/// A punch as it tells how long somebody stayed: what, when, and whether it is their own word.
pub type Sign = (PunchKind, Timestamp, bool);

pub fn sign(punch: &Punch) -> Sign {
    (punch.kind, punch.at, punch.source != PunchSource::AutoClose && !punch.is_managers())
}

/// What a punch says of somebody who is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    Stays,
    Went,
    /// They had gone before, then, and nobody saw it.
    Forgot(Timestamp),
}

/// Somebody who came, and when they are believed to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    /// Nobody stays longer, but to the end of their shift.
    open: Timestamp,
    /// When the clock is stopped for whoever has not gone by then.
    due: Timestamp,
    grace_seconds: i64,
    believed: Timestamp,
}

impl Stay {
    /// Of somebody who came then, by the end of the shift that they came for.
    pub fn since(came: Timestamp, shift_ends: Option<Timestamp>, settings: &Settings) -> Self {
        let minutes = |minutes: u32| 60 * i64::from(minutes);
        let open = came.plus_seconds(minutes(settings.max_open_minutes));
        let grace_seconds = minutes(settings.auto_close_grace_minutes);
        let due = shift_ends.map_or(open, |ends| ends.plus_seconds(grace_seconds)).max(came);
        let usual = came.plus_seconds(minutes(settings.standard_day_minutes));
        Self { open, due, grace_seconds, believed: shift_ends.unwrap_or(usual).clamp(came, due) }
    }

    /// When they are believed to have gone, by all that was seen.
    pub fn believed(&self) -> Timestamp {
        self.believed
    }

    /// When the clock is stopped for them.
    pub fn due(&self) -> Timestamp {
        self.due
    }

    /// Until when somebody may still be seen to go.
    pub fn longest(&self) -> Timestamp {
        self.open.max(self.believed.plus_seconds(self.grace_seconds))
    }

    /// Whoever comes again after the clock was to be stopped, or goes later than anybody stays, had gone before. What a manager says is
    /// so. A break that is begun or ended later than that says nothing: it may be another day's.
    pub fn sees(&mut self, (kind, at, own): Sign) -> Seen {
        match kind {
            PunchKind::In if at > self.open.min(self.due) => Seen::Forgot(self.believed.min(at)),
            PunchKind::Out if own && at > self.longest() => Seen::Forgot(self.believed.min(at)),
            PunchKind::Out => Seen::Went,
            PunchKind::BreakStarted | PunchKind::BreakEnded if at <= self.due => {
                // A break that was never ended begins before it ends.
                let heard = if kind == PunchKind::BreakStarted { just_after(at) } else { at };
                self.believed = self.believed.max(heard);
                Seen::Stays
            }
            PunchKind::In | PunchKind::BreakStarted | PunchKind::BreakEnded => Seen::Stays,
        }
    }
}

/// Where the clock is stopped for somebody who came and was not seen to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    pub came: ClockEntryId,
    pub at: Timestamp,
    /// Nothing they punched since says that they have gone: it is for time to tell.
    pub is_last: bool,
}

/// Every place where the clock is stopped, by one person's own punches in their order. What was only believed before does not count.
pub fn stops<'a>(punches: impl IntoIterator<Item = &'a Punch>, stay: impl Fn(&Punch) -> Stay) -> Vec<Stop> {
    let mut stops = Vec::new();
    let mut there: Option<(&Punch, Stay)> = None;
    for punch in punches.into_iter().filter(|punch| !punch.is_believed()) {
        if let Some((came, so_far)) = &mut there {
            match so_far.sees(sign(punch)) {
                Seen::Stays => continue,
                Seen::Went => {}
                Seen::Forgot(at) => stops.push(Stop { came: came.id.clone(), at, is_last: false }),
            }
            there = None;
        }
        if punch.kind == PunchKind::In {
            there = Some((punch, stay(punch)));
        }
    }
    stops.extend(there.map(|(came, stay)| Stop { came: came.id.clone(), at: stay.believed(), is_last: true }));
    stops
}
