//! The people of Hotel Chinar: employed, planned and clocked in by the stories of staff, so that housekeeping hears of them over the
//! bus like of anybody's.
//!
//! Whatever the time is, somebody works now: today's shifts are planned around it, and patterns make the days after. Everything is
//! looked for before it is done, so that a start that was cut short is taken up again.

use contracts::ids::{AssignmentId, PositionId, PropertyId, ShiftId, StaffId, TenantId};
use contracts::time::Timestamp;
use contracts::values::{LocalDate, LocalTime};
use jiff::ToSpan;
use platform::auth::{Caller, Properties, Role, Roles};
use platform::{Clock, Db, Refusal, RequestContext, UnitOfWork};
use staff::application::certifications::{self, NewCertification};
use staff::application::clock::{self, Pressed, Whose};
use staff::application::day_of;
use staff::application::handoffs::{self, NewNote};
use staff::application::leave::{self, NewLeave};
use staff::application::patterns;
use staff::application::people::{self as employment, NewPerson};
use staff::application::shifts::{self, NewShift, When};
use staff::application::swap_requests;
use staff::domain::leave::{Days, LeaveKind};
use staff::domain::pattern::{Assignee, Recurrence, Template};
use staff::domain::pin::{Pin, PinHash};
use staff::domain::position::Position;
use staff::domain::punch::{PunchKind, PunchSource};
use staff::domain::settings::Settings;
use staff::domain::window::Window;
use staff::domain::words::{EmploymentKind, PlaceRole, Weekday};
use staff::infrastructure::shifts::ShiftFilter;
use staff::infrastructure::{handoffs as notes, patterns as kept_patterns, people, positions, settings};
use staff::{SCHEMA, StaffError};

use super::script::{Person, Script};
use super::week_before;
use crate::app::App;

/// Everybody's PIN in the demo; the greeting prints it.
pub const PIN: &str = "480615";
/// Today's shift began two hours ago and has six to go.
const BEGAN_MINUTES_AGO: i64 = 120;
const LEFT_MINUTES: i64 = 360;
/// This week and the next.
const PLANNED_DAYS: i64 = 14;
/// So many of the housekeepers work mornings from tomorrow on, the others evenings.
const MORNING_CREW: usize = 4;

/// A name, a position, from when to when, who, and whether somebody is on call.
pub(super) type Planned<'a> = (&'static str, &'static str, (&'static str, &'static str), Vec<&'a Person>, bool);

/// Somebody of the house, as what, and under which code.
#[derive(Clone, Debug)]
pub struct Member {
    pub staff: StaffId,
    pub name: String,
    pub code: String,
    pub position: &'static str,
}

/// Everybody who works at the hotel, in the order of their codes.
pub(super) fn members(script: &Script) -> Vec<Member> {
    let everybody = crew(script);
    let member = |(at, (person, position)): (usize, (&Person, &'static str))| Member {
        staff: person.id.clone(),
        name: format!("{} {}", person.given_name, person.family_name),
        code: code(at),
        position,
    };
    everybody.into_iter().enumerate().map(member).collect()
}

fn code(at: usize) -> String {
    format!("CHINAR-{:02}", at + 1)
}

/// The supervisor, the housekeepers, and those who were added since: what each is employed as.
fn crew(script: &Script) -> Vec<(&Person, &'static str)> {
    let others = &script.others;
    let housekeepers = script.housekeepers.iter().chain([&others.on_leave, &others.on_call]);
    std::iter::once((&script.supervisor, "SUPERVISOR"))
        .chain(housekeepers.map(|person| (person, "HOUSEKEEPER")))
        .chain(others.desk.iter().map(|person| (person, "FRONT_DESK")))
        .chain([(&others.manager, "MANAGER"), (&others.craftsman, "MAINTENANCE")])
        .collect()
}

/// Opens the staff of the demo hotel, or finds it as it was left; then every context hears of it.
pub(super) async fn settle(app: &App, script: &Script) -> Result<(), StaffError> {
    let team = Team { app, script, db: app.db.clone() };
    team.employ().await?;
    if !team.is_settled().await? {
        let positions = team.positions().await?;
        week_before::happen(&team, &positions).await?;
        team.plan_the_days_ahead(&positions).await?;
        team.come_to_work(&positions).await?;
        team.ask_and_show().await?;
        team.ask_to_swap().await?;
        team.leave_a_note().await?;
    }
    loop {
        let (told, heard) = (app.relay.drain().await?, app.worker.drain().await?);
        if told + heard == 0 {
            return Ok(());
        }
    }
}

pub(super) struct Team<'a> {
    app: &'a App,
    pub(super) script: &'a Script,
    db: Db,
}

impl<'a> Team<'a> {
    /// The same people at a moment that is over.
    pub(super) fn at(&self, moment: Timestamp) -> Team<'a> {
        Team { app: self.app, script: self.script, db: self.db.at(Clock::manual(moment)) }
    }
}

impl Team<'_> {
    pub(super) fn house(&self) -> PropertyId {
        self.script.property.clone()
    }

    fn tenant(&self) -> TenantId {
        self.script.tenant.clone()
    }

    pub(super) fn now(&self) -> Timestamp {
        self.db.clock().now()
    }

    /// The manager, or somebody in their own name.
    pub(super) fn caller(&self, person: &Person, role: Role) -> Caller {
        Caller {
            subject: "usr_demo".to_owned(),
            tenant: self.tenant(),
            staff: Some(person.id.clone()),
            roles: Roles::new([role]),
            properties: Properties::All,
            expires_at: i64::MAX,
            pin_generation: None,
        }
    }

    pub(super) fn manager(&self) -> Caller {
        self.caller(&self.script.others.manager, Role::PropertyManager)
    }

    /// One story in a unit of work of its own. What is refused had been done before, by a start that was cut short.
    pub(super) async fn tell<T>(
        &self,
        by: &Caller,
        story: impl AsyncFnOnce(&mut UnitOfWork) -> Result<T, StaffError>,
    ) -> Result<Option<T>, StaffError> {
        let db = &self.db;
        let context = RequestContext {
            tenant: by.tenant.clone(),
            actor: by.actor(),
            correlation_id: "req_demo".to_owned(),
            causation_id: None,
            traceparent: platform::telemetry::new_traceparent(db.ids()),
            locale: None,
        };
        let mut uow = db.begin(&SCHEMA, context).await?;
        match story(&mut uow).await {
            Ok(done) => {
                uow.commit().await?;
                Ok(Some(done))
            }
            Err(StaffError::General(Refusal::Fault(fault))) => Err(fault.into()),
            Err(refusal) => {
                tracing::debug!(%refusal, "the demo goes on");
                uow.rollback().await?;
                Ok(None)
            }
        }
    }

    /// The note is written last.
    async fn is_settled(&self) -> Result<bool, StaffError> {
        let filter = notes::HandoffFilter { properties: Some(vec![self.house()]), ..notes::HandoffFilter::default() };
        let look = async |uow: &mut UnitOfWork| notes::list(uow, &filter, 1).await;
        Ok(!self.db.read(&SCHEMA, &self.tenant(), look).await?.is_empty())
    }

    async fn positions(&self) -> Result<Vec<Position>, StaffError> {
        self.db.read(&SCHEMA, &self.tenant(), async |uow: &mut UnitOfWork| positions::positions(uow).await).await
    }

    async fn employ(&self) -> Result<(), StaffError> {
        let manager = self.manager();
        let pin = Pin::new(PIN);
        // Hashing costs what it should; once is enough for a PIN that is printed.
        let hash = PinHash(self.app.secrets.hash(PIN).await.map_err(StaffError::from)?);
        for (at, (person, position)) in crew(self.script).into_iter().enumerate() {
            self.tell(&manager, async |uow: &mut UnitOfWork| {
                if people::find(uow, &person.id).await?.is_some() {
                    return Ok(());
                }
                let all = positions::positions(uow).await?;
                let new = NewPerson {
                    given_name: person.given_name.to_owned(),
                    family_name: person.family_name.to_owned(),
                    home_property_id: self.house(),
                    position_id: called(&all, position)?,
                    employment_type: EmploymentKind::FullTime,
                    employment_started_at: LocalDate(jiff::civil::date(2026, 1, 1)),
                    department_id: None,
                    staff_code: Some(code(at)),
                    property_access: None,
                    user_id: None,
                    employment_ends_at: None,
                    email: None,
                    phone_e164: None,
                    emergency_contact: None,
                    languages: person.languages.iter().map(|&language| language.to_owned()).collect(),
                    skills: person.skills.iter().map(|&skill| skill.to_owned()).collect(),
                    pin: Some((pin.clone(), hash.clone())),
                };
                employment::create_as(uow, &manager, person.id.clone(), new).await?;
                Ok(())
            })
            .await?;
        }
        Ok(())
    }

    /// What is worked each day: mornings and evenings on the floors, the desk around the clock, the craftsman on working days. By whom,
    /// and whether somebody is on call for it.
    pub(super) fn plans(&self) -> [Planned<'_>; 7] {
        let script = self.script;
        let (early, late) = script.housekeepers.split_at(MORNING_CREW.min(script.housekeepers.len()));
        let (early, late): (Vec<_>, Vec<_>) = (early.iter().collect(), late.iter().collect());
        let desk: Vec<_> = script.others.desk.iter().collect();
        let one = |at: usize| desk.get(at).map(|person| vec![*person]).unwrap_or_default();
        [
            ("Floors, morning", "HOUSEKEEPER", ("06:00", "14:00"), early, true),
            ("Floors, evening", "HOUSEKEEPER", ("14:00", "22:00"), late, false),
            ("Supervision", "SUPERVISOR", ("07:00", "15:00"), vec![&script.supervisor], false),
            ("Desk, morning", "FRONT_DESK", ("06:00", "14:00"), one(0), false),
            ("Desk, evening", "FRONT_DESK", ("14:00", "22:00"), one(1), false),
            ("Desk, night", "FRONT_DESK", ("22:00", "06:00"), one(2), false),
            ("Repairs", "MAINTENANCE", ("08:00", "16:00"), vec![&script.others.craftsman], false),
        ]
    }

    /// From tomorrow on: mornings and evenings on the floors, the desk around the clock, the craftsman on working days.
    async fn plan_the_days_ahead(&self, positions: &[Position]) -> Result<(), StaffError> {
        let script = self.script;
        let plans = self.plans();
        let (manager, tomorrow) = (self.manager(), self.today().await?.0.saturating_add(1.day()));
        let look = async |uow: &mut UnitOfWork| kept_patterns::list(uow, Some(&[self.house()]), None, None, 100).await;
        let known = self.db.read(&SCHEMA, &self.tenant(), look).await?;
        for (name, position, (start, end), people, with_standby) in plans {
            if known.iter().any(|pattern| pattern.template.name == name) {
                continue;
            }
            let places = i32::try_from(people.len()).unwrap_or(1).max(1);
            let staff = |person: &Person, role| Assignee { staff_id: person.id.clone(), role };
            let mut assignees: Vec<_> = people.iter().map(|person| staff(person, PlaceRole::Primary)).collect();
            if with_standby {
                assignees.push(staff(&script.others.on_call, PlaceRole::Standby));
            }
            let template = Template {
                position_id: called(positions, position)?,
                name: name.to_owned(),
                start_local: time(start)?,
                end_local: time(end)?,
                recurrence: Recurrence::Weekly(days_of(name)),
                valid_from: LocalDate(tomorrow),
                valid_to: None,
                // One more than there are people: somebody is on leave, and the hole shows.
                primary_headcount: if with_standby { places + 1 } else { places },
                standby_headcount: i32::from(with_standby),
                break_minutes: Some(30),
                assignees,
                active: true,
            };
            let (house, by) = (self.house(), &manager);
            self.tell(by, async |uow: &mut UnitOfWork| patterns::add(uow, by, house, template).await).await?;
        }
        let days =
            Days { from: LocalDate(tomorrow), to: LocalDate(tomorrow.saturating_add((PLANNED_DAYS - 1).days())) };
        let house = self.house();
        self.tell(&manager, async |uow: &mut UnitOfWork| patterns::generate(uow, &house, days, None).await).await?;
        Ok(())
    }

    pub(super) async fn settings(&self) -> Result<Settings, StaffError> {
        let house = self.house();
        self.db.read(&SCHEMA, &self.tenant(), async |uow: &mut UnitOfWork| settings::in_force(uow, &house).await).await
    }

    pub(super) async fn today(&self) -> Result<LocalDate, StaffError> {
        Ok(day_of(self.now(), &self.settings().await?))
    }

    /// When those came who are at work: today, also where the hotel is opened after midnight.
    async fn began(&self) -> Result<Timestamp, StaffError> {
        let (now, in_force) = (self.now(), self.settings().await?);
        let (midnight, noon) = (time("00:00")?, time("12:00")?);
        let today = Window::local(day_of(now, &in_force), midnight, noon, &in_force.timezone)
            .map_err(|error| Refusal::invalid("startLocal", error.to_string()))?;
        Ok(now.plus_seconds(-60 * BEGAN_MINUTES_AGO).max(today.starts_at))
    }

    /// Today's shifts, whatever the time is: the floors with somebody on call, the supervisor, the desk and the workshop; everybody
    /// but the one on call has come.
    async fn come_to_work(&self, positions: &[Position]) -> Result<(), StaffError> {
        let script = self.script;
        let floors: Vec<_> = script.housekeepers.iter().collect();
        let desk: Vec<_> = script.others.desk.iter().take(1).collect();
        let crews = [
            ("HOUSEKEEPER", floors, Some(&script.others.on_call)),
            ("SUPERVISOR", vec![&script.supervisor], None),
            ("FRONT_DESK", desk, None),
            ("MAINTENANCE", vec![&script.others.craftsman], None),
        ];
        for (position, people, on_call) in crews {
            let Some(first) = people.first() else { continue };
            let Some(shift) = self.shift_around_now(called(positions, position)?, first, people.len(), on_call).await?
            else {
                continue;
            };
            for person in &people {
                self.place(&shift, person, PlaceRole::Primary).await?;
            }
            if let Some(person) = on_call {
                self.place(&shift, person, PlaceRole::Standby).await?;
            }
            for person in people {
                self.clock_in(person).await?;
            }
        }
        Ok(())
    }

    /// The shift that is on now; `None` where there is one already.
    async fn shift_around_now(
        &self,
        position_id: PositionId,
        first: &Person,
        places: usize,
        on_call: Option<&Person>,
    ) -> Result<Option<ShiftId>, StaffError> {
        let (manager, now) = (self.manager(), self.now());
        let (today, start) = (self.today().await?, self.began().await?);
        self.tell(&manager, async |uow: &mut UnitOfWork| {
            let filter = ShiftFilter {
                staff: Some(first.id.clone()),
                from: Some(today),
                to: Some(today),
                ..ShiftFilter::default()
            };
            if !staff::infrastructure::shifts::list(uow, &filter, 1).await?.is_empty() {
                return Err(Refusal::NotFound("shift to plan").into());
            }
            let new = NewShift {
                property_id: self.house(),
                position_id,
                when: When::Utc { start, end: now.plus_seconds(60 * LEFT_MINUTES) },
                primary_headcount: i32::try_from(places).unwrap_or(1),
                standby_headcount: i32::from(on_call.is_some()),
                break_minutes: Some(30),
                note: None,
            };
            Ok(shifts::schedule(uow, &manager, new).await?.id)
        })
        .await
    }

    pub(super) async fn place(&self, shift: &ShiftId, person: &Person, role: PlaceRole) -> Result<(), StaffError> {
        let manager = self.manager();
        let whom = (&person.id, role, false);
        self.tell(&manager, async |uow: &mut UnitOfWork| shifts::assign(uow, &manager, (shift, None), whom).await)
            .await?;
        Ok(())
    }

    /// At the beginning of the shift, on a terminal that had no connection then.
    async fn clock_in(&self, person: &Person) -> Result<(), StaffError> {
        let (own, now) = (self.caller(person, Role::Staff), self.now());
        let pressed = Pressed {
            kind: PunchKind::In,
            at: self.began().await?,
            property_id: Some(self.house()),
            shift_id: None,
            source: PunchSource::ElectronPin,
            device_id: None,
            client_punch_id: None,
            offline: true,
            reason: None,
            needs_review: Vec::new(),
        };
        self.tell(&own, async |uow: &mut UnitOfWork| clock::replay(uow, &own, now, vec![(Whose::Own, pressed)]).await)
            .await?;
        Ok(())
    }

    /// Somebody is at a wedding, and somebody's certificate runs out next week.
    async fn ask_and_show(&self) -> Result<(), StaffError> {
        let (today, others) = (self.today().await?, &self.script.others);
        let (own, manager) = (self.caller(&others.on_leave, Role::Staff), self.manager());
        let days = Days { from: today, to: LocalDate(today.0.saturating_add(4.days())) };
        let wedding =
            NewLeave { staff: None, kind: LeaveKind::Annual, days, reason: Some("a wedding in Paghman".to_owned()) };
        let asked = self.tell(&own, async |uow: &mut UnitOfWork| leave::submit(uow, &own, wedding).await).await?;
        if let Some(asked) = asked {
            let how = (true, None);
            self.tell(&manager, async |uow: &mut UnitOfWork| leave::decide(uow, &manager, None, &asked.id, how).await)
                .await?;
        }
        let Some(cook) = self.script.housekeepers.first() else { return Ok(()) };
        let paper = NewCertification {
            kind: "first_aid".to_owned(),
            issued_at: LocalDate(today.0.saturating_sub(358.days())),
            expires_at: Some(LocalDate(today.0.saturating_add(7.days()))),
            number: Some("KBL-2041".to_owned()),
        };
        self.tell(&manager, async |uow: &mut UnitOfWork| certifications::add(uow, &manager, &cook.id, paper).await)
            .await?;
        Ok(())
    }

    /// Somebody of the mornings would rather come in the evening of the day after tomorrow, and asks who has that.
    async fn ask_to_swap(&self) -> Result<(), StaffError> {
        let people = &self.script.housekeepers;
        let (Some(asks), Some(is_asked)) = (people.first(), people.get(MORNING_CREW)) else { return Ok(()) };
        let own = self.caller(asks, Role::Staff);
        self.tell(&own, async |uow: &mut UnitOfWork| {
            let mine = self.next_place(uow, asks).await?;
            let theirs = self.next_place(uow, is_asked).await?;
            let note = Some("my sister comes from Herat".to_owned());
            swap_requests::propose(uow, &own, (&mine, &theirs), note).await.map(|_| ())
        })
        .await?;
        Ok(())
    }

    /// Where somebody works next, from the day after tomorrow on.
    async fn next_place(&self, uow: &mut UnitOfWork, person: &Person) -> Result<AssignmentId, StaffError> {
        let from = LocalDate(self.today().await?.0.saturating_add(2.days()));
        let filter = ShiftFilter { staff: Some(person.id.clone()), from: Some(from), ..ShiftFilter::default() };
        let found = staff::infrastructure::shifts::list(uow, &filter, 1).await?;
        let places = found.into_iter().flat_map(|shift| shift.places);
        let own = places.into_iter().find(|place| place.staff_id == person.id);
        Ok(own.map(|place| place.id).ok_or(Refusal::NotFound("place to swap"))?)
    }

    async fn leave_a_note(&self) -> Result<(), StaffError> {
        let Some(desk) = self.script.others.desk.last() else { return Ok(()) };
        let own = self.caller(desk, Role::FrontDesk);
        let note = NewNote {
            property_id: self.house(),
            position_id: None,
            from_shift_id: None,
            body: "304: the air conditioning is noisy, maintenance knows. The bus of the Herat group comes at two; \
                   they want four rooms on one floor."
                .to_owned(),
            attachment_ids: Vec::new(),
        };
        self.tell(&own, async |uow: &mut UnitOfWork| handoffs::write(uow, &own, note).await).await?;
        Ok(())
    }
}

/// Everybody has a day off, the two crews of the floors not the same; only the desk is open every day, and its roster says that it
/// is a clerk short.
pub(super) fn days_of(name: &str) -> Vec<Weekday> {
    let off = match name {
        "Floors, evening" => Some(Weekday::Saturday),
        desk if desk.starts_with("Desk") => None,
        _ => Some(Weekday::Friday),
    };
    Weekday::ALL.iter().copied().filter(|day| Some(*day) != off).collect()
}

/// The position every tenant has under this code.
pub(super) fn called(all: &[Position], code: &str) -> Result<PositionId, StaffError> {
    let found = all.iter().find(|position| position.code.as_deref() == Some(code));
    Ok(found.map(|position| position.id.clone()).ok_or(Refusal::NotFound("position"))?)
}

pub(super) fn time(text: &str) -> Result<LocalTime, StaffError> {
    Ok(LocalTime::parse(text).map_err(|error| Refusal::invalid("startLocal", error.to_string()))?)
}
