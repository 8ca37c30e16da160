//! Shifts that too few people are on.

use contracts::ids::{PositionId, PropertyId, ShiftId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

use super::settings::Settings;
use super::shift::{Place, Shift};
use super::words::PlaceRole;

/// So long before its end nobody is called for a shift any more.
const TOO_LATE_SECONDS: i64 = 30 * 60;

/// Too few are on a shift, or too few have come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    pub shift_id: ShiftId,
    pub property_id: PropertyId,
    pub position_id: PositionId,
    /// Below zero when it has begun.
    pub starts_in_seconds: i64,
    pub required: u32,
    pub clocked_in: u32,
    pub standbys: u32,
    pub missing: u32,
    pub version: i32,
}

/// A gap was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noticed;

impl Aggregate for Gap {
    type Event = Noticed;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl Gap {
    pub fn noticed(self) -> Decided<Self> {
        Decided::opened(self, Noticed)
    }

    /// Whether it is news: more are missing than were told of, or it was told a while ago.
    pub fn is_news(&self, told: Option<(i32, Timestamp)>, settings: &Settings, now: Timestamp) -> bool {
        let Some((missing, at)) = told else { return true };
        let more = i64::from(self.missing) > i64::from(missing);
        more || now >= at.plus_seconds(i64::from(settings.gap_repeat_seconds))
    }
}

/// What is missing on a shift: places that nobody can fill from a while before it, people who have not come from a while after.
/// `can_come`: whether somebody with a place can come at all; `there`: how many of those who are to work have.
pub fn gap(
    shift: &Shift,
    can_come: impl Fn(&Place) -> bool,
    there: u32,
    settings: &Settings,
    now: Timestamp,
) -> Option<Gap> {
    let window = &shift.plan.window;
    let lead = window.starts_at.plus_seconds(-i64::from(settings.gap_lead_seconds));
    let late = window.starts_at.plus_seconds(i64::from(settings.gap_late_seconds));
    // Short shifts are called for until they begin, and no longer.
    let too_late = window.ends_at.plus_seconds(-TOO_LATE_SECONDS).max(window.starts_at);
    if shift.is_over() || now < lead || now >= too_late {
        return None;
    }
    let required = u32::try_from(shift.plan.primary_headcount).unwrap_or_default();
    let able = |role| {
        let able = shift.active().filter(|place| place.role == role && can_come(place)).count();
        u32::try_from(able).unwrap_or(u32::MAX)
    };
    let present = if now >= late { there } else { able(PlaceRole::Primary) };
    let missing = required.saturating_sub(present);
    (missing > 0).then(|| Gap {
        shift_id: shift.id.clone(),
        property_id: shift.property_id.clone(),
        position_id: shift.position_id.clone(),
        starts_in_seconds: (window.starts_at.as_millis() - now.as_millis()).div_euclid(1_000),
        required,
        clocked_in: there,
        standbys: able(PlaceRole::Standby),
        missing,
        version: 1,
    })
}
