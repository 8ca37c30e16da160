//! How the work goes: how much was done, how long it took, how long rooms waited, and how well it was done.

use contracts::housekeeping::TaskKind;
use contracts::ids::{PropertyId, StaffId};
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::HousekeepingError;
use crate::infrastructure::settings;
use crate::infrastructure::stats::{self, About, Measured, Span};

const LONGEST_DAYS: i64 = 366;
const USUAL_SECONDS: i64 = 7 * 24 * 60 * 60;

/// A moment, or a day of the hotel's own calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Moment(Timestamp),
    Day(Date),
}

impl<'de> Deserialize<'de> for When {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let day = (text.len() == 10).then(|| text.parse::<Date>().ok()).flatten();
        match (day, Timestamp::parse(&text)) {
            (Some(day), _) => Ok(Self::Day(day)),
            (None, Ok(at)) => Ok(Self::Moment(at)),
            _ => Err(serde::de::Error::custom("a day such as 2026-04-22, or a time such as 2026-04-22T11:05:00Z")),
        }
    }
}

impl JsonSchema for When {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "DayOrMoment".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}(T.*)?$" })
    }
}

/// Figures about some of the work.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkFigures {
    /// Pieces of work that were done.
    pub count: i64,
    /// Half took no longer.
    pub median_minutes: Option<f64>,
    /// Nine in ten took no longer.
    pub p90_minutes: Option<f64>,
    /// From cleaned to the first inspection, for half of those that were inspected.
    pub median_minutes_to_inspection: Option<f64>,
    pub inspected: i64,
    /// How many of those that were inspected passed at once, from 0 to 1.
    pub pass_rate: Option<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KindFigures {
    pub kind: TaskKind,
    #[serde(flatten)]
    pub figures: WorkFigures,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DayFigures {
    /// A day of the hotel's own calendar.
    pub day: String,
    #[serde(flatten)]
    pub figures: WorkFigures,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonFigures {
    pub staff_id: StaffId,
    #[serde(flatten)]
    pub figures: WorkFigures,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomTypeFigures {
    /// Null where the type of the room is not known.
    pub room_type: Option<String>,
    #[serde(flatten)]
    pub figures: WorkFigures,
}

/// What was done in a house from a moment until before another.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TurnoverStats {
    pub property_id: PropertyId,
    pub from: Timestamp,
    pub to: Timestamp,
    pub timezone: String,
    pub total: WorkFigures,
    pub by_kind: Vec<KindFigures>,
    pub by_day: Vec<DayFigures>,
    pub by_person: Vec<PersonFigures>,
    pub by_room_type: Vec<RoomTypeFigures>,
}

/// The figures of a house; of the last seven days where nothing else is asked for. A day that is named as the end is part of it.
pub async fn turnover(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    from: Option<When>,
    to: Option<When>,
) -> Result<TurnoverStats, HousekeepingError> {
    let (tenant, _) = settings::load(uow).await?;
    let zone = tenant.settings.timezone;
    let to = to.map_or(Ok(uow.now()), |to| moment("to", to, &zone, true))?;
    let from = from.map_or(Ok(to.plus_seconds(-USUAL_SECONDS)), |from| moment("from", from, &zone, false))?;
    if from >= to {
        return Err(Refusal::invalid("from", "earlier than `to`").into());
    }
    if to.minutes_since(from) > LONGEST_DAYS * 24 * 60 {
        return Err(Refusal::invalid("from", format!("at most {LONGEST_DAYS} days before `to`")).into());
    }
    let span = Span { from, to, zone };
    let measured = stats::turnover(uow, property, &span).await?;
    Ok(gathered(property, span, &measured))
}

/// From when until when: all of a day on the hotel's calendar, or one moment alone.
pub async fn window(
    uow: &mut UnitOfWork,
    field: &'static str,
    when: When,
) -> Result<(Timestamp, Timestamp), HousekeepingError> {
    if let When::Moment(at) = when {
        return Ok((at, Timestamp::from_millis(at.as_millis().saturating_add(1))));
    }
    let zone = settings::load(uow).await?.0.settings.timezone;
    Ok((moment(field, when, &zone, false)?, moment(field, when, &zone, true)?))
}

fn moment(field: &'static str, when: When, zone: &str, end: bool) -> Result<Timestamp, Refusal> {
    let day = match when {
        When::Moment(at) => return Ok(at),
        When::Day(day) => day,
    };
    let begins = |day: Date| day.in_tz(zone).ok().map(|midnight| Timestamp::from_jiff(midnight.timestamp()));
    let day = if end { day.tomorrow().ok() } else { Some(day) };
    day.and_then(begins).ok_or_else(|| Refusal::invalid(field, "a day of the calendar"))
}

fn gathered(property: &PropertyId, span: Span, measured: &[Measured]) -> TurnoverStats {
    let nothing = WorkFigures {
        count: 0,
        median_minutes: None,
        p90_minutes: None,
        median_minutes_to_inspection: None,
        inspected: 0,
        pass_rate: None,
    };
    let mut all = TurnoverStats {
        property_id: property.clone(),
        from: span.from,
        to: span.to,
        timezone: span.zone,
        total: nothing,
        by_kind: Vec::new(),
        by_day: Vec::new(),
        by_person: Vec::new(),
        by_room_type: Vec::new(),
    };
    for one in measured {
        let figures = figures_of(one);
        match one.about.clone() {
            About::Everything => all.total = figures,
            About::Kind(kind) => all.by_kind.push(KindFigures { kind, figures }),
            About::Day(day) => all.by_day.push(DayFigures { day, figures }),
            About::Person(staff_id) => all.by_person.push(PersonFigures { staff_id, figures }),
            About::RoomType(name) => {
                let room_type = Some(name).filter(|name| !name.is_empty());
                all.by_room_type.push(RoomTypeFigures { room_type, figures });
            }
        }
    }
    all
}

fn figures_of(one: &Measured) -> WorkFigures {
    let tenths = |number: f64| (number * 10.0).round() / 10.0;
    #[expect(clippy::cast_precision_loss, reason = "counts of rooms")]
    let rate = |passed: i64, inspected: i64| (passed as f64 / inspected as f64 * 1_000.0).round() / 1_000.0;
    WorkFigures {
        count: one.count,
        median_minutes: one.median_minutes.map(tenths),
        p90_minutes: one.p90_minutes.map(tenths),
        median_minutes_to_inspection: one.median_wait.map(tenths),
        inspected: one.inspected,
        pass_rate: (one.inspected > 0).then(|| rate(one.passed, one.inspected)),
    }
}
