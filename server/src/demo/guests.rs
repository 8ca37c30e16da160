//! The demo's guests: who slept here, who leaves this morning, who comes, and who has booked. All of it happens over reservation's own
//! stories, at its own time: last night with last night's clock. Housekeeping hears of it over the bus, as it does of real guests.

use std::sync::OnceLock;

use contracts::actor::Actor;
use contracts::ids::{ReservationId, RoomId, RoomTypeId};
use contracts::reservation::{CancelReason, Channel, Occupants, PaymentMethod};
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::auth::{Caller, Properties, Role, Roles};
use platform::{Clock, Db, Refusal, RequestContext, UnitOfWork};
use reservation::application::arriving::{self, WalkInWords};
use reservation::application::booking::{self, BookingWords, GuestWords, Wanted, When, Wish};
use reservation::application::stays::{self, CancelWords, OnReservation, PaymentWords};
use reservation::application::{rooms, settings, ticks};
use reservation::domain::money::Money;
use reservation::domain::rooms::{RoomWords, TypeWords};
use reservation::domain::settings::Settings;
use reservation::domain::stay::{HouseTime, Stay};
use reservation::{ReservationError, SCHEMA};
use serde_json::{Map, Value};

use super::script::Script;

/// What people call the house.
const NAME: &str = "Hotel Chinar";
const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

/// A kind of room: its word, how it is called, for how many, at how many afghani a night.
const KINDS: [(&str, &str, i32, i64); 3] =
    [("single", "Single", 1, 2_400), ("double", "Double", 3, 3_600), ("suite", "Suite with a view", 4, 7_800)];

const NAMES: [&str; 28] = [
    "Zarmina Noori",
    "Ahmad Shah Rahimi",
    "Laila Karimi",
    "Omid Barakzai",
    "Farzana Sadat",
    "Idris Ghafari",
    "Storai Momand",
    "Haroon Yusufzai",
    "Palwasha Safi",
    "Nadir Amiri",
    "Soraya Hakimi",
    "Baryalai Khattak",
    "Mina Azizi",
    "Khalid Formuli",
    "Rukhsana Mirza",
    "Jawid Hotak",
    "Elena Petrova",
    "Tomás Ribeiro",
    "Yuki Tanaka",
    "Amara Okafor",
    "Lukas Brunner",
    "Ingrid Solberg",
    "Rajesh Menon",
    "Fatima al-Sayed",
    "Daniel Weiss",
    "Marta Kowalska",
    "Samuel Osei",
    "Anahita Tehrani",
];
/// So many suites there are, and one more is sold.
const SUITES_AND_ONE: usize = 9;
const CHANNELS: [Channel; 4] = [Channel::PhoneByStaff, Channel::Direct, Channel::Ota, Channel::Meta];

/// Who keeps the demo's book.
pub(super) struct Guests<'a> {
    pub db: &'a Db,
    pub script: &'a Script,
    pub now: Timestamp,
}

/// What somebody wants: rooms of a kind, or one room, for some nights.
struct Party {
    /// What they are known by: a start that was cut short finds them again.
    name: String,
    kind: String,
    room: Option<RoomId>,
    rooms: usize,
    from: Date,
    to: Date,
    group: Option<&'static str>,
    /// When they stood at the desk, if they have come.
    came_at: Option<Timestamp>,
}

impl Guests<'_> {
    fn house() -> HouseTime {
        HouseTime::of(&Settings::default())
    }

    fn today(&self) -> Date {
        Self::house().hotel_date(self.now)
    }

    fn day(&self, ahead: i32) -> Date {
        self.today().checked_add(jiff::Span::new().days(ahead)).unwrap_or(self.today())
    }

    /// So many minutes ago, but not before the hotel's day began.
    fn ago(&self, minutes: i64) -> Timestamp {
        let day_began = Self::house().check_in_at(self.today()).plus_seconds(-9 * HOUR + MINUTE);
        self.now.plus_seconds(-minutes * MINUTE).max(day_began.min(self.now))
    }

    /// When the cleaning of a day begins.
    pub(super) fn morning(&self, ahead: i32) -> Timestamp {
        Self::house().check_in_at(self.day(ahead)).plus_seconds(-6 * HOUR).min(self.now)
    }

    /// The evening of a day that is over.
    fn evening(&self, ahead: i32, minutes: i64) -> Timestamp {
        Self::house().check_in_at(self.day(ahead)).plus_seconds(HOUR + minutes * MINUTE).min(self.now)
    }

    /// Its name, kinds of rooms, rooms and prices.
    pub(super) async fn open_the_house(&self) -> Result<(), ReservationError> {
        let (desk, property) = (self.desk(), &self.script.property);
        let mut uow = self.begin(self.evening(-3, 0)).await?;
        let name = Map::from_iter([("houseName".to_owned(), Value::from(NAME))]);
        settings::change(&mut uow, Some(property), None, name).await?;
        for (kind, name, guests, price) in KINDS {
            let words = TypeWords {
                name: Some(name.to_owned()),
                max_occupancy: Some(guests),
                base_rate: Some(afghani(price)?),
                overbooking: None,
            };
            rooms::describe_type(&mut uow, &desk, None, (&type_id(kind)?, property), words).await?;
        }
        uow.commit().await?;
        let mut uow = self.begin(self.evening(-3, 0)).await?;
        for room in &self.script.rooms {
            let words = RoomWords {
                room_type_id: Some(type_id(&room.room_type)?),
                number: Some(room.number.clone()),
                floor: Some(room.floor.to_string()),
                archived: None,
            };
            rooms::describe_room(&mut uow, &desk, None, (&room.room_id, property), words).await?;
        }
        uow.commit().await?;
        // The week of the fair is dearer, and one suite more is sold tonight than there is.
        let mut uow = self.begin(self.evening(-3, 0)).await?;
        let (fair, suite) = ((self.day(9), self.day(13)), type_id("suite")?);
        rooms::set_rates(&mut uow, (&desk, None), &type_id("double")?, fair, afghani(4_500)?).await?;
        rooms::set_sell_limits(&mut uow, (&desk, None), &suite, (self.today(), self.day(1)), 1).await?;
        Ok(uow.commit().await?)
    }

    /// Who came last night, and one who came the night before and should have left by now.
    pub(super) async fn last_night(&self) -> Result<(), ReservationError> {
        let script = self.script;
        if let Some(late) = script.stay_overs.last() {
            let party = self.in_room("overstayer", &late.room, (-2, -1));
            self.walk_in(&party, self.evening(-2, 0)).await?;
            let noon = Self::house().check_out_at(self.day(-1)).plus_seconds(3 * HOUR + MINUTE);
            ticks::notice_overstays(self.at(noon)).await?;
        }
        for (at, stay) in script.departures.iter().enumerate() {
            // The first few are to stay longer, and leave before their time.
            let to = i32::from(at < script.early_departures);
            let party = self.in_room(&format!("departure-{at}"), &stay.room, (-1, to));
            self.walk_in(&party, self.evening(-1, minutes(at))).await?;
        }
        let staying = script.stay_overs.len().saturating_sub(1);
        for (at, stay) in script.stay_overs[..staying].iter().enumerate() {
            let nights = 1 + i32::try_from(at % 3).unwrap_or(0);
            let party = self.in_room(&format!("stay-over-{at}"), &stay.room, (-1, nights));
            self.walk_in(&party, self.evening(-1, 30 + minutes(at))).await?;
        }
        Ok(())
    }

    /// Who leaves.
    pub(super) async fn departures(&self) -> Result<(), ReservationError> {
        for at in 0..self.script.departures.len() {
            let left = self.ago(118 - minutes(at));
            if let Some(id) = self.known(&format!("departure-{at}")).await? {
                self.on(&id, left, async |uow, on| stays::check_out(uow, on, None, true).await.map(|_| ())).await?;
            }
        }
        Ok(())
    }

    /// When all of them were gone.
    pub(super) fn all_left(&self) -> Timestamp {
        self.ago(118 - minutes(self.script.departures.len()))
    }

    /// Who has come since: some have their rooms, some wait for them at the desk.
    pub(super) async fn arrivals(&self) -> Result<(), ReservationError> {
        let script = self.script;
        for (at, stay) in script.arrivals.iter().enumerate() {
            let came_at = self.ago(15);
            let party = self.in_room(&format!("arrival-{at}"), &stay.room, (0, 2));
            let party = Party { came_at: Some(came_at), ..party };
            let id = self.book(&party, self.evening(-1, 200)).await?;
            self.on(&id, came_at, async |uow, on| arriving::check_in(uow, on, &[], (true, true)).await.map(|_| ()))
                .await?;
        }
        for (at, stay) in script.waiting.iter().enumerate() {
            let came_at = self.ago(5);
            let party = self.in_room(&format!("waiting-{at}"), &stay.room, (0, 1));
            let party = Party { came_at: Some(came_at), ..party };
            let id = self.book(&party, self.evening(-1, 220)).await?;
            self.on(&id, came_at, async |uow, on| arriving::check_in(uow, on, &[], (false, true)).await.map(|_| ()))
                .await?;
        }
        ticks::notice_overstays(self.at(self.now)).await?;
        Ok(())
    }

    /// Who is still to come today, and in the days ahead.
    pub(super) async fn the_book(&self) -> Result<(), ReservationError> {
        let booked = self.evening(-1, 240);
        for at in 0..5 {
            let kind = if at % 2 == 0 { "double" } else { "single" };
            self.book(&self.party(&format!("today-{at}"), kind, (0, 1 + at)), booked).await?;
        }
        // Until one of them has no room.
        for at in 0..SUITES_AND_ONE {
            let id = self.book(&self.party(&format!("suite-{at}"), "suite", (0, 1)), booked).await?;
            if self.has_no_room(&id).await? {
                break;
            }
        }
        for at in 0..12 {
            let kind = ["double", "double", "single", "suite"][usize::try_from(at).unwrap_or(0) % 4];
            let party = self.party(&format!("ahead-{at}"), kind, (1 + at, 2 + at + at % 4));
            self.book(&party, booked).await?;
        }
        let wedding = Party { rooms: 4, group: Some("SHAHEEN-WEDDING"), ..self.party("wedding", "double", (5, 8)) };
        self.book(&wedding, booked).await?;
        let second =
            Party { rooms: 2, group: Some("SHAHEEN-WEDDING"), ..self.party("wedding-parents", "suite", (5, 8)) };
        self.book(&second, booked).await?;
        let ill = self.book(&self.party("cancelled", "double", (3, 6)), booked).await?;
        let words = CancelWords {
            reason_code: CancelReason::GuestCancelled,
            reason: "the guest is ill".to_owned(),
            items: None,
            waive_penalty: false,
        };
        self.on(&ill, self.ago(40), async |uow, on| stays::cancel(uow, on, &words).await.map(|_| ())).await?;
        self.hold(&self.party("undecided", "suite", (14, 17)), self.now, Some(1_800)).await?;
        Ok(())
    }

    /// The reservation that a room's guests have, for those who clean it.
    pub(super) async fn of_stay_over(&self, at: usize) -> Result<Option<ReservationId>, ReservationError> {
        let last = at + 1 == self.script.stay_overs.len();
        self.known(&if last { "overstayer".to_owned() } else { format!("stay-over-{at}") }).await
    }

    fn party(&self, name: &str, kind: &str, (from, to): (i32, i32)) -> Party {
        let (name, kind) = (name.to_owned(), kind.to_owned());
        Party { name, kind, room: None, rooms: 1, from: self.day(from), to: self.day(to), group: None, came_at: None }
    }

    fn in_room(&self, name: &str, room: &RoomId, nights: (i32, i32)) -> Party {
        let known = self.script.rooms.iter().find(|one| one.room_id == *room);
        let kind = known.map_or("double", |one| one.room_type.as_str());
        Party { room: Some(room.clone()), ..self.party(name, kind, nights) }
    }

    fn wish(&self, party: &Party) -> Result<Wish, ReservationError> {
        let nights = Stay::new(party.from, party.to).ok_or(ReservationError::StayInvalid("the demo's nights"))?;
        let room_type = type_id(&party.kind)?;
        let adults = if party.kind == "single" { 1 } else { 2 };
        let wanted = Wanted {
            room_type,
            occupants: Occupants { adults, children: 0, infants: 0 },
            rate: None,
            room: party.room.clone(),
        };
        let items = vec![wanted; party.rooms];
        Ok(Wish { property: self.script.property.clone(), stay: nights, items, currency: None, fx: None })
    }

    fn words(&self, party: &Party, channel: Channel, ttl: Option<u32>) -> BookingWords {
        let number = party.name.bytes().fold(0_usize, |sum, byte| (sum * 31 + usize::from(byte)) % NAMES.len());
        let name = NAMES[number];
        let address = name.to_lowercase().replace(' ', ".");
        // Nobody comes at the same moment: one party every quarter of an hour or so, for three hours.
        let apart = i64::try_from(number % 13).unwrap_or(0) * 15 * 60;
        let awaited = Self::house().check_in_at(party.from).max(self.now.plus_seconds(HOUR)).plus_seconds(apart);
        BookingWords {
            channel,
            partner_id: Some("demo".to_owned()),
            external_reference: Some(party.name.clone()),
            group_code: party.group.map(str::to_owned),
            guest: GuestWords {
                id: None,
                name: Some(name.to_owned()),
                email: address.is_ascii().then(|| format!("{address}@example.com")),
                phone: Some(format!("+93 700 100 {number:03}")),
                locale: None,
            },
            guests_of: Properties::All,
            hold_ttl_seconds: ttl,
            payment_intent: None,
            expected_arrival_at: (party.from == self.today()).then_some(party.came_at.unwrap_or(awaited)),
            by: self.actor(),
        }
    }

    /// Somebody at the desk, booked, paid and checked in at once.
    async fn walk_in(&self, party: &Party, at: Timestamp) -> Result<(), ReservationError> {
        let (wish, words) = (self.wish(party)?, self.words(party, Channel::WalkIn, None));
        let price = KINDS.iter().find(|(kind, ..)| *kind == party.kind).map_or(0, |(.., price)| *price);
        let paid = afghani(price * i64::from(wish.stay.nights()))?;
        let method =
            if party.name.len().is_multiple_of(2) { PaymentMethod::Card } else { PaymentMethod::CashOnArrival };
        let payment = PaymentWords { method, ..PaymentWords::in_cash() };
        let (ids, arrival) = (self.db.ids(), WalkInWords { payment, at_desk: Some(paid), force: true });
        self.story(at, async |uow| {
            arriving::walk_in(uow, ids, (&wish, None), words, arrival).await.map(|done| done.reservation.id)
        })
        .await?;
        Ok(())
    }

    /// Booked and confirmed, to be paid in cash.
    async fn book(&self, party: &Party, at: Timestamp) -> Result<ReservationId, ReservationError> {
        let id = self.hold(party, at, None).await?;
        let confirm = async |uow: &mut UnitOfWork, on: OnReservation<'_>| {
            stays::confirm(uow, on, PaymentWords::in_cash()).await.map(|_| ())
        };
        self.on(&id, at.plus_seconds(MINUTE), confirm).await?;
        Ok(id)
    }

    async fn hold(&self, party: &Party, at: Timestamp, ttl: Option<u32>) -> Result<ReservationId, ReservationError> {
        let channel = CHANNELS[party.name.len() % CHANNELS.len()].clone();
        let (wish, words) = (self.wish(party)?, self.words(party, channel, ttl));
        let ids = self.db.ids();
        self.story(at, async |uow| booking::hold(uow, ids, &wish, When::Ahead, words).await.map(|held| held.id)).await
    }

    /// Tells a story at its own time. Whoever is known from a start that was cut short is found again.
    async fn story(
        &self,
        at: Timestamp,
        tell: impl AsyncFnOnce(&mut UnitOfWork) -> Result<ReservationId, ReservationError>,
    ) -> Result<ReservationId, ReservationError> {
        let mut uow = self.begin(at).await?;
        match tell(&mut uow).await {
            Ok(id) => {
                uow.commit().await?;
                Ok(id)
            }
            Err(ReservationError::DuplicateReference(id)) => {
                uow.rollback().await?;
                Ok(id)
            }
            Err(error) => {
                uow.rollback().await?;
                Err(error)
            }
        }
    }

    /// A step at the desk. One that was taken before is refused, and that is well.
    async fn on(
        &self,
        id: &ReservationId,
        at: Timestamp,
        step: impl AsyncFnOnce(&mut UnitOfWork, OnReservation<'_>) -> Result<(), ReservationError>,
    ) -> Result<(), ReservationError> {
        let (desk, by) = (self.desk(), self.actor());
        let mut uow = self.begin(at).await?;
        let guest = OnceLock::new();
        match step(&mut uow, OnReservation { id, caller: &desk, by: &by, if_match: None, guest: &guest }).await {
            Ok(()) => Ok(uow.commit().await?),
            Err(ReservationError::General(Refusal::Fault(fault))) => Err(fault.into()),
            Err(refusal) => {
                tracing::debug!(%refusal, "the demo goes on");
                Ok(uow.rollback().await?)
            }
        }
    }

    async fn known(&self, name: &str) -> Result<Option<ReservationId>, ReservationError> {
        let look = async |uow: &mut UnitOfWork| {
            reservation::infrastructure::reservations::by_reference(uow, Some("demo"), name).await
        };
        self.db.read(&SCHEMA, &self.script.tenant, look).await
    }

    async fn has_no_room(&self, id: &ReservationId) -> Result<bool, ReservationError> {
        let desk = self.desk();
        let look = async |uow: &mut UnitOfWork| stays::look_up(uow, &desk, id).await;
        let found = self.db.read(&SCHEMA, &self.script.tenant, look).await?;
        Ok(found.active_items().any(|item| item.room().is_none()))
    }

    fn at(&self, moment: Timestamp) -> Db {
        self.db.at(Clock::manual(moment))
    }

    async fn begin(&self, moment: Timestamp) -> Result<UnitOfWork, ReservationError> {
        let context = RequestContext {
            tenant: self.script.tenant.clone(),
            actor: self.actor(),
            correlation_id: "req_demo".to_owned(),
            causation_id: None,
            traceparent: platform::telemetry::new_traceparent(self.db.ids()),
            locale: None,
        };
        Ok(self.at(moment).begin(&SCHEMA, context).await?)
    }

    fn actor(&self) -> Actor {
        self.desk().actor()
    }

    fn desk(&self) -> Caller {
        Caller {
            subject: "usr_demo".to_owned(),
            tenant: self.script.tenant.clone(),
            staff: Some(self.script.supervisor.id.clone()),
            roles: Roles::new([Role::FrontDesk, Role::PropertyManager]),
            properties: Properties::All,
            expires_at: i64::MAX,
            pin_generation: None,
        }
    }
}

fn afghani(whole: i64) -> Result<Money, ReservationError> {
    Ok(Money::of(i128::from(whole) * 1_000_000)?)
}

fn minutes(at: usize) -> i64 {
    i64::try_from(at).unwrap_or(0)
}

fn type_id(kind: &str) -> Result<RoomTypeId, ReservationError> {
    RoomTypeId::parse(&format!("rmt_{}", kind.to_uppercase()))
        .map_err(|error| Refusal::invalid("roomTypeId", error.to_string()).into())
}
