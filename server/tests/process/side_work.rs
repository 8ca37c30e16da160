//! What goes on in a house besides, over REST and whatever is killed meanwhile: linen goes out and comes back, and more people want a room than
//! there are. Every order has a key of its own and is sent again until it is answered for good, so that it is known what must have come of it.

use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::house::{House, ended};
use crate::session::Session;
use crate::story::Hotel;

/// The two that serve, wherever they are now.
pub(crate) type Doors = Arc<Mutex<[Option<Client>; 2]>>;

const LINEN: i64 = 1_000;
/// Rooms, and those who want one of them for the same nights.
const ROOMS: usize = 2;
const WISHES: usize = 3;
const ROOM_TYPE: &str = "rty_SIDE";
/// Longer than any fault lasts.
const PATIENCE: Duration = Duration::from_mins(5);

/// See the module.
pub(crate) struct SideWork {
    office: Office,
    rounds: usize,
    under_way: Vec<JoinHandle<Outcome>>,
    /// What must have come of all that was answered.
    so_far: Outcome,
}

/// What came of a round, as whoever asked was told.
#[derive(Clone, Copy, Debug, Default)]
struct Outcome {
    linen: i64,
    bookings: i64,
}

/// Whoever asks, and where.
#[derive(Clone)]
struct Office {
    doors: Doors,
    property: String,
    supervisor: String,
    desk: String,
    line: String,
    today: jiff::civil::Date,
}

impl SideWork {
    /// Linen that is counted, and rooms that are sold. `clock` is that of whoever works here.
    pub(crate) fn begin(house: &House, hotel: &Hotel, doors: &Doors, clock: Option<&str>) -> Self {
        // Of somebody whose clock is behind: processes whose clocks are wrong take them too.
        let clock = clock.unwrap_or("clock-300");
        let token = |role: &str| {
            let staff = ["token", "--tenant", &hotel.tenant, "--role", role, "--staff", "stf_SIDE", "--ttl", "8h"];
            let mut command = house.command(&staff);
            command.env("MELMASTOON_FAULT", clock);
            let minted = ended(command);
            assert_eq!(minted.code, Some(0), "{minted:?}");
            minted.out.trim().to_owned()
        };
        let ahead = clock.trim_start_matches("clock").parse::<i64>().unwrap_or(0);
        let now = platform::Clock::system().now().plus_seconds(ahead).jiff();
        let today = now.to_zoned(jiff::tz::TimeZone::UTC).date();
        let (supervisor, desk, manager) = (token("supervisor"), token("front_desk"), token("property_manager"));
        let door = doors.lock().expect("no panic")[0].clone().expect("somebody serves");
        let Hotel { property, .. } = hotel;
        let line = json!({ "propertyId": property, "line": "towels", "onHand": LINEN });
        let line =
            door.post("/housekeeping/v1/linen", &supervisor, &line).good()["id"].as_str().expect("an id").to_owned();
        let body = json!({ "propertyId": property, "name": "Double", "baseRateMicro": "100000000" });
        door.put(&format!("/reservation/v1/room-types/{ROOM_TYPE}"), &manager, &body).good();
        for number in 0..ROOMS {
            let body = json!({ "propertyId": property, "roomTypeId": ROOM_TYPE, "number": format!("S{number}"), "floor": "9" });
            door.put(&format!("/reservation/v1/rooms/rom_SIDE{number}"), &manager, &body).good();
        }
        let office = Office { doors: Arc::clone(doors), property: property.clone(), supervisor, desk, line, today };
        let so_far = Outcome { linen: LINEN, bookings: 0 };
        Self { office, rounds: 0, under_way: Vec::new(), so_far }
    }

    /// One more round begins, side by side with whatever happens next.
    pub(crate) fn goes_on(&mut self) {
        let round = self.rounds;
        self.rounds += 1;
        for which in 0..WISHES {
            let office = self.office.clone();
            self.under_way.push(std::thread::spawn(move || office.round(round, which)));
        }
    }

    /// Waits until everybody has been answered.
    pub(crate) fn settles(&mut self) {
        for one in self.under_way.drain(..) {
            let outcome = one.join().expect("everybody was answered in the end");
            self.so_far.linen += outcome.linen;
            self.so_far.bookings += outcome.bookings;
        }
    }

    /// What does not hold, in words.
    pub(crate) fn broken(&self, session: &Session) -> Vec<String> {
        let mut broken = Vec::new();
        let mut is = |what: &str, question: &str, expected: i64| {
            let found = session.count(question);
            if found != expected {
                broken.push(format!("{what}: {found} instead of {expected}"));
            }
        };
        is("I9: linen on hand", "SELECT sum(on_hand) FROM housekeeping.linen_inventory", self.so_far.linen);
        is(
            "I9: linen that is not the sum of its movements",
            "SELECT count(*) FROM housekeeping.linen_inventory l WHERE on_hand < 0 OR on_hand <> carried_over + (
               SELECT coalesce(sum(CASE m.direction WHEN 'issue' THEN -m.count ELSE m.count END), 0)
               FROM housekeeping.linen_movements m WHERE m.tenant_id = l.tenant_id AND m.line_id = l.id)",
            0,
        );
        is(
            "I4: nights of a room that two have",
            "SELECT count(*) FROM reservation.room_allocations a JOIN reservation.room_allocations b
               ON a.tenant_id = b.tenant_id AND a.room_id = b.room_id AND a.id < b.id AND a.nights && b.nights
             WHERE a.released_at IS NULL AND b.released_at IS NULL",
            0,
        );
        is(
            "I4: more rooms given away for a night than there are",
            &format!(
                "SELECT count(*) FROM (
                   SELECT FROM reservation.room_allocations, generate_series(lower(nights), upper(nights) - 1, '1 day') AS night
                   WHERE room_type_id = '{ROOM_TYPE}' AND released_at IS NULL GROUP BY night HAVING count(*) > {ROOMS}) AS nights"
            ),
            0,
        );
        is("I10: bookings", "SELECT count(*) FROM reservation.reservations", self.so_far.bookings);
        broken
    }
}

impl Office {
    /// Some linen, and a room for nights that somebody else wants too.
    fn round(&self, round: usize, which: usize) -> Outcome {
        let mut outcome = Outcome::default();
        for (step, (verb, count)) in [("issue", 3), ("return", 2)].into_iter().enumerate() {
            let path = format!("/housekeeping/v1/linen/{}/{verb}", self.line);
            let key = format!("side-linen-{round}-{which}-{step}");
            let answer = self.asks(which + step, &path, &self.supervisor, &key, &json!({ "count": count }));
            assert_eq!(answer.status, 200, "{answer:?}");
            outcome.linen += if verb == "issue" { -count } else { count };
        }
        // Each round wants nights of its own; a house takes bookings for two years.
        let first = self.today + jiff::Span::new().days(60 + 3 * i64::try_from(round % 200).expect("a day"));
        let body = json!({
            "propertyId": self.property, "stayWindow": { "start": first, "end": first + jiff::Span::new().days(2) },
            "items": [{ "roomTypeId": ROOM_TYPE, "occupants": { "adults": 1 } }],
            "primaryGuest": { "name": format!("Guest {round} {which}"), "phone": "+93 700 123 456" },
        });
        let key = format!("side-book-{round}-{which}");
        let answer = self.asks(which, "/reservation/v1/reservations", &self.desk, &key, &body);
        if answer.status == 201 {
            outcome.bookings += 1;
            let held = answer.json()["reservationId"].as_str().expect("an id").to_owned();
            let path = format!("/reservation/v1/reservations/{held}/confirm");
            let body = json!({ "payment": { "method": "cash_on_arrival" } });
            let confirmed = self.asks(which + 1, &path, &self.desk, &format!("side-confirm-{round}-{which}"), &body);
            // A hold that is over when its confirmation gets through is over.
            assert!([200, 409].contains(&confirmed.status), "{confirmed:?}");
        } else {
            assert_eq!(answer.status, 409, "no room is left: {answer:?}");
        }
        outcome
    }

    /// Asks whoever serves, again and again under the same key, until there is an answer that is final.
    fn asks(&self, door: usize, path: &str, token: &str, key: &str, body: &Value) -> Answer {
        let begun = Instant::now();
        let mut last = None;
        for turn in 0.. {
            assert!(begun.elapsed() < PATIENCE, "{key} was never answered: {last:?}");
            let client = self.doors.lock().expect("no panic")[(door + turn) % 2].clone();
            let answer = client.and_then(|client| client.try_post_once(path, token, key, body));
            match answer {
                Some(answer) if answer.status < 500 && answer.retry_after.is_none() => return answer,
                other => last = other,
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        unreachable!("it is answered or it fails")
    }
}
